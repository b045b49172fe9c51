// Before anything is painted: the theme and the language chosen last time, so that nothing flashes.

const root = document.documentElement;
try {
  const theme = localStorage.getItem("tablier.theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  const language = localStorage.getItem("tablier.language");
  if (language) root.lang = language;
} catch {
  // A browser that stores nothing shows what the system prefers.
}
