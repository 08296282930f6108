/**
 * Makes every choice an attribute of the root element: before the first frame, and when another tab changes it.
 * This is a script of its own in the head of the page. It imports nothing; `setting.ts` has the same names.
 */

const root = document.documentElement;

const show = (key: string | null, stored: string | null) => {
  if (!key?.startsWith("qipai.setting.")) return;
  const attribute = `data-${key.slice(14)}`;
  // Choices are strings; other settings do not concern the style sheets.
  if (stored?.startsWith('"')) root.setAttribute(attribute, stored.slice(1, -1));
  else root.removeAttribute(attribute);
};

for (const key of Object.keys(localStorage)) show(key, localStorage.getItem(key));
addEventListener("storage", ({ key, newValue }) => show(key, newValue));
