import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { routes } from '#app/routes.ts';
import { guidePages } from './build/guide-pages.ts';
import { preloadFont } from './build/preload-font.ts';
import { routeFiles } from './build/route-files.ts';

/** Only Vite reads this: the server that answers the portal's calls while it is being worked on. */
const API_SERVER = process.env.STEWARD_API ?? 'http://127.0.0.1:8065';

/** Fills in, for the development server, what the server writes into the page at each request. */
const placeholders: Plugin = {
  name: 'placeholders',
  apply: 'serve',
  transformIndexHtml: (html) => html.replaceAll('__PRODUCT_NAME__', 'Steward').replaceAll('__CSP_NONCE__', ''),
};

/** Nearly every screen is inside both layouts, so that they load with the router. */
const LAYOUTS: readonly string[] = ['/_protected', '/_protected/_shell'];

export default defineConfig({
  plugins: [
    tanstackRouter({
      target: 'react',
      routesDirectory: './src',
      generatedRouteTree: './src/app/route-tree.gen.ts',
      virtualRouteConfig: routes,
      autoCodeSplitting: true,
      codeSplittingOptions: { splitBehavior: ({ routeId }) => (LAYOUTS.includes(routeId) ? [] : undefined) },
      disableLogging: true,
      semicolons: true,
      tmpDir: '../../node_modules/.cache/steward-routes',
    }),
    react(),
    guidePages,
    placeholders,
    routeFiles(routes),
    preloadFont,
  ],
  // Only the worker imports them, where the development server does not look ahead: finding them late reloads the page.
  optimizeDeps: { include: ['papaparse', 'jschardet'] },
  // The worker loads what guesses encodings only for files that need it.
  worker: { format: 'es' },
  server: {
    proxy: {
      '/api/v4': { target: API_SERVER, changeOrigin: false },
      '/dev/': { target: API_SERVER, changeOrigin: false },
    },
  },
  build: {
    // Everything the page may fetch is a file of our own: data: addresses would need a hole in the content policy.
    assetsInlineLimit: 0,
    // The licenses of packages require that they are passed on with the code.
    license: { fileName: 'licences.md' },
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    target: 'es2023',
    // One stylesheet: with one for each page, what a page shows would move when a second one arrives.
    cssCodeSplit: false,
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Without groups, Manage Users takes 88 requests. How often a module is shared decides what every screen
          // gets; the numbers are those at which both first screens are within their bounds (npm run bench -- --rows first-load).
          // Forms and CSV files come with the screens and dialogs that have them.
          groups: [
            { name: 'start', tags: ['$initial'], priority: 3 },
            {
              name: 'shared',
              test: /portal\/src\/(platform\/(?!forms|csv)|workspace)|users\/names|@tanstack|lucide/,
              minShareCount: 4,
              priority: 2,
            },
            { name: 'controls', test: /@mantine/, minShareCount: 24, priority: 1 },
          ],
        },
      },
    },
  },
});
