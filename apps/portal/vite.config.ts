import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { routes } from '#app/routes.ts';

/** Only Vite reads this: the server that answers the portal's calls while it is being worked on. */
const API_SERVER = process.env.STEWARD_API ?? 'http://127.0.0.1:8065';

/** What the server writes into the page at each request, for the development server. */
const placeholders: Plugin = {
  name: 'placeholders',
  apply: 'serve',
  transformIndexHtml: (html) => html.replaceAll('__PRODUCT_NAME__', 'Steward').replaceAll('__CSP_NONCE__', ''),
};

/** What opens above a page, which every screen in the shell has. */
const FLOATING = /@floating-ui|@mantine\/core\/.*\b(Popover|Tooltip|Menu|Portal|OptionalPortal|FocusTrap|Floating)\b/;

/** What every long list is made of; screens that lack one part of it would else split it into files of their own. */
const LISTS =
  /src\/platform\/(tables\/(list-layout|data-table|virtual-rows)|search\/(search-box|idle-search)|files\/csv-buttons)\b/;

export default defineConfig({
  plugins: [
    tanstackRouter({
      target: 'react',
      routesDirectory: './src',
      generatedRouteTree: './src/app/route-tree.gen.ts',
      virtualRouteConfig: routes,
      autoCodeSplitting: true,
      disableLogging: true,
      semicolons: true,
      tmpDir: '../../node_modules/.cache/steward-routes',
    }),
    react(),
    placeholders,
  ],
  // Only the worker imports it, where the development server does not look ahead: finding it late reloads the page.
  optimizeDeps: { include: ['papaparse'] },
  server: {
    proxy: {
      '/api/v4': { target: API_SERVER, changeOrigin: false },
      '/dev/': { target: API_SERVER, changeOrigin: false },
    },
  },
  build: {
    // Everything the page may fetch is a file of our own: data: addresses would need a hole in the content policy.
    assetsInlineLimit: 0,
    // Whoever gets the code gets its licences, which ask for no more than to be passed on with it.
    license: { fileName: 'licences.md' },
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    target: 'es2023',
    // The ground is one file on purpose; what it weighs on the wire is measured by the benchmark.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // Few files that compress well, instead of one for each small module that two screens share.
        codeSplitting: {
          // What most screens need comes together too: each further file costs its headers, and compresses by itself.
          groups: [
            { name: 'ground', tags: ['$initial'], priority: 3 },
            { name: 'floating', test: FLOATING, priority: 1 },
            { name: 'lists', test: LISTS, priority: 1 },
            { name: 'common', minShareCount: 8, priority: 2 },
          ],
        },
      },
    },
  },
});
