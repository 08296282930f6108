/** Settings of sounds. */

export function SoundSection() {
  return null;
}
