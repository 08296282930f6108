/** Applies the chosen theme before the first frame: a script of its own in the head, which imports nothing. */

try {
  const theme: unknown = JSON.parse(localStorage.getItem("qipai.setting.theme")!);
  if (theme === "light" || theme === "dark") document.documentElement.style.colorScheme = theme;
} catch {
  // Not written by this page.
}
