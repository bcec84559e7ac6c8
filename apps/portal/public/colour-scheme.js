// Runs before the first paint, so that a dark page never flashes white. A file of its own: the page allows no inline script.
(() => {
  let kept = null;
  try {
    kept = localStorage.getItem('steward.colour-scheme');
  } catch {
    // A browser that refuses storage follows the system.
  }
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light';
})();
