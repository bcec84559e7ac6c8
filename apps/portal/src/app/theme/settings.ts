import { config } from 'zod';

// Before any schema is made: zod would try to compile its checks with eval, which the content policy forbids.
config({ jitless: true });

/** The nonce that the server put into this page; styles made while it runs must carry it. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

// The part that keeps the page from scrolling under a dialog adds a style of its own and reads the nonce here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
