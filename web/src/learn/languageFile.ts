/** Finds the texts of lessons: in their own folder, or in the folder of a language that brings them. */

/** Load the texts in a language, given by its tag in lower case. `files` are the modules of all languages, by path. */
export function loadLanguage<T>(files: Readonly<Record<string, () => Promise<T>>>, tag: string): Promise<T> {
  const path = Object.keys(files).find((one) => one.endsWith(`/texts/${tag}.ts`) || one.includes(`/i18n/${tag}/lessons/`));
  return files[path!]!();
}
