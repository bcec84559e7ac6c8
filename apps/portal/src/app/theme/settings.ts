import { config } from 'zod';

// This must run before any schema is created: zod would try to compile its checks with eval, which the content policy forbids.
config({ jitless: true });

/** The server put this nonce into the page. Styles that are created at run time must have it. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

// The library that prevents scrolling under a dialog adds its own style and reads the nonce here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
