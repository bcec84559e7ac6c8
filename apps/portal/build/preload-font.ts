import type { Plugin } from 'vite';

/**
 * Names the font in the page. Otherwise the browser asks for it when the first text is drawn, and what was drawn without it moves when it
 * arrives.
 */
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
