import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { routes } from '#app/routes.ts';
import { guidePages } from './build/guide-pages.ts';
import { noCircles } from './build/no-circles.ts';
import { preloadFont } from './build/preload-font.ts';
import { routeFiles } from './build/route-files.ts';
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

/** What opens above a page: no screen begins with it. */
const FLOATING =
  /@floating-ui|@mantine\/core\/.*\b(Popover|Tooltip|Menu|Portal|OptionalPortal|FocusTrap|Floating|Overlay)\b|@mantine\/hooks\/.*\buse-(long-press|focus-trap|focus-return|click-outside)\b/;

/** What forms and lists inside the shell share, and a sign-in does not need. */
const SHELL =
  /@mantine\/core\/.*\b(Radio|InlineInput|NativeSelect|ComboboxChevron|get-parsed-combobox-data)|useBlocker|cached-lists|visually-hidden|queryObserver|mutationObserver|useMutation|useBaseQuery|useQuery|uspense|errorBoundaryUtils|IsRestoring|api\/(queries|field-errors)|people\/(initials|person-avatar)|feedback\/state-badge|app\/help\/shortcuts|use-color-scheme|session\/(protected|session-watch)|page\/(icon|empty-state|header-link)|audit\/history-link|useRouterState|@mantine\/core\/.*\/(Text|Mark|Stack|Group|Paper|Alert|SimpleGrid)\/|@mantine\/core\/styles\/(Text|Stack|Group|Paper|Alert|SimpleGrid)\.|use-mantine-color-scheme|clamp|lucide-react\/dist\/esm\/icons|src\/platform\/(dialogs\/(discard|confirm|dialog)|forms\/(focusable|pick|save)-|time\/)/;

/** What every long list is made of; screens that lack one part of it would else split it into files of their own. */
const LISTS =
  /@tanstack\/(react-virtual|virtual-core)|src\/platform\/(tables\/(list-layout|data-table|plain-table|sort-header|virtual-rows|iterate-pages)|search\/(search-box|debounced-search)|files\/csv-buttons|upload\/upload-button|api\/with-retry)\b|@mantine\/core\/.*\/Flex\/|@mantine\/core\/styles\/Flex\.|features\/users\/(list\/user-cells|lifecycle\/lifecycle-actions|invitations\/failed-invitations)|contract\/src\/(users\/roles\.ts\?only=[a-z]|users\/invitations\.ts\?only=listFailed|api\/errors\.ts\?only=ERRORS|api\/limits\.ts\?only=SEARCH_IDLE_MS)|files\/page-drop|useInfiniteQuery|infiniteQueryObserver|\bKbd\b|hotkey/;

/** What a sign-in shows, and small parts that every screen has: alone, the headers of each would outweigh it. */
const FIELDS =
  /@mantine\/core\/.*\/(Input|InputBase|InputsGroupFieldset|ActionIcon|PasswordInput|TextInput|VisuallyHidden)\/|@mantine\/hooks\/.*\buse-(uncontrolled|id|merged-ref)\b|useLocation|teams\/(switch-team|current-team)\.ts|dialogs\/(open-state|ignore-repeat)|klona|fast-deep-equal|use-debounced|@mantine\/core\/.*\/List\/|@mantine\/core\/styles\/(List|Table)\.|idempotency-key|lazy-component|QueryErrorResetBoundary|[yn]Options\.js|@mantine\/core\/.*\/core\/(utils|styles-api|DirectionProvider)\/|Combobox\.module|CheckIcon|get-auto-contrast|sign-up-access|use-callback-ref|random-id|contract\/src\/(signup\/signup|users\/users)\.ts\?only=(SignUp|listUsers)/;

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
    stylesOfPages,
    react(),
    guidePages,
    placeholders,
    withoutJsonSchema,
    unusedSchemas(),
    noCircles,
    routeFiles(routes),
    preloadFont,
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
          includeDependenciesRecursively: false,
          // What most screens need comes together too: each further file costs its headers, and compresses by itself.
          groups: [
            { name: 'ground', tags: ['$initial'], priority: 5 },
            { name: 'floating', test: FLOATING, priority: 4 },
            // Forms check what is typed by the schemas of the contract.
            { name: 'schemas', test: /node_modules\/zod\/|packages\/contract\/src\/api\/fields/, priority: 6 },
            {
              name: 'palette',
              test: /@mantine\/(spotlight|store)\/|components\/(Highlight|Mark)\/|utils\/clamp|app\/palette\//,
              priority: 3,
            },
            { name: 'shell', test: SHELL, minShareCount: 2, priority: 2 },
            { name: 'fields', test: FIELDS, priority: 3 },
            { name: 'lists', test: LISTS, priority: 3 },
            { name: 'user-actions', test: /features\/users\/actions\/(user-dialogs|actions\.rules)/, priority: 3 },
            // It imports from other groups, so in `common` it would make their files import each other in a circle.
            { name: 'table', test: /@mantine\/core\/.*\/(Table|ScrollArea)\//, priority: 3 },
            // For the same reason.
            {
              name: 'forms',
              test: /@mantine\/form\/|@mantine\/core\/.*\/Textarea\/|src\/platform\/forms\/form-dialog/,
              priority: 3,
            },
            { name: 'common', minShareCount: 8, priority: 1 },
          ],
        },
      },
    },
  },
});
