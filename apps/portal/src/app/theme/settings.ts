// zod, which is loaded later, would otherwise compile its checks with eval, which the content policy forbids.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

/** The nonce that the server put into this page; styles made while it runs must carry it. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

// The part that keeps the page from scrolling under a dialog adds a style of its own and reads the nonce here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
