import type { Plugin } from 'vite';

/** The page names the font. Otherwise the browser requests it when it draws the first text, and that text moves when the font arrives. */
export const preloadFont: Plugin = {
  name: 'preload-font',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const fonts = Object.keys(bundle).filter((name) => name.endsWith('.woff2'));
      return fonts.map((name) => ({
        tag: 'link',
        attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${name}` },
        injectTo: 'head' as const,
      }));
    },
  },
};
