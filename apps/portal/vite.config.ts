import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { routes } from '#app/routes.ts';
import { compileHint } from './build/compile-hint.ts';
import { guidePages } from './build/guide-pages.ts';
import { noCircles } from './build/no-circles.ts';
import { preloadFont } from './build/preload-font.ts';
import { routeFiles } from './build/route-files.ts';
import { planFiles } from './build/shared-files.ts';
import { unusedSchemas } from './build/unused-schemas.ts';

/** Only Vite reads this: the server that answers the portal's calls while it is being worked on. */
const API_SERVER = process.env.STEWARD_API ?? 'http://127.0.0.1:8065';

/** What the server writes into the page at each request, for the development server. */
const placeholders: Plugin = {
  name: 'placeholders',
  apply: 'serve',
  transformIndexHtml: (html) => html.replaceAll('__PRODUCT_NAME__', 'Steward').replaceAll('__CSP_NONCE__', ''),
};

/** zod's conversion to JSON Schema, which only the server uses: 6 KB of every first load. */
const JSON_SCHEMA = /zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/;

const withoutJsonSchema: Plugin = {
  name: 'without-json-schema',
  apply: 'build',
  transform(code, id) {
    if (!JSON_SCHEMA.test(id)) return null;
    const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => `none as ${name}`);
    return { code: `const none = () => undefined;\nexport { ${names.join(', ')} };`, map: null };
  },
};

/**
 * Splitting a route leaves its imports of style sheets in the part that every first load gets, as well as in the part
 * that is loaded with the page. This removes them from the first.
 */
const stylesOfPages: Plugin = {
  name: 'styles-of-pages',
  enforce: 'pre',
  transform(code, id) {
    if (!/\.page\.tsx$/.test(id)) return null;
    return { code: code.replaceAll(/^import ['"]@mantine\/core\/styles\/[\w.]+\.css['"];$/gm, ''), map: null };
  },
};

/** What makes the modules of the portal out of its sources; new ones for each build. */
const transforms = () => [
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
  stylesOfPages,
  react(),
  guidePages,
  placeholders,
  withoutJsonSchema,
  unusedSchemas(),
];

export default defineConfig(async ({ command }) => {
  const plan = command === 'build' ? await planFiles(routes, transforms()) : undefined;
  return {
    plugins: [transforms(), noCircles, routeFiles(routes), preloadFont, plan && compileHint(plan.isOfFirstScreen)],
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
      // The licenses of packages require that they are passed on with the code.
      license: { fileName: 'licences.md' },
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      target: 'es2023',
      // What the first screens weigh is tested (tools/build/first-load.test.ts).
      chunkSizeWarningLimit: 600,
      rolldownOptions: {
        output: {
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: plan ? [{ name: plan.name, debugName: 'shared' }] : [],
          },
        },
      },
    },
  };
});
