import type { Plugin } from 'vite';

/**
 * Tells V8 to compile every function of a script while it is loaded, beside the page's own thread. Otherwise each is parsed once to find its
 * end, and again on that thread when it's first called, as nearly all of a first screen are. Other engines ignore the comment.
 */
const COMPILE_HINT = '//# allFunctionsCalledOnLoad\n';

/** Gives the hint for the files whose modules `isOfFirstScreen` names. */
export function compileHint(isOfFirstScreen: (ids: readonly string[]) => boolean): Plugin {
  return {
    name: 'compile-hint',
    apply: 'build',
    // V8 only heeds the very first line, which Vite still changes after the other hooks. The names of the files don't depend on it.
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk' && isOfFirstScreen(file.moduleIds)) file.code = COMPILE_HINT + file.code;
        }
      },
    },
  };
}
