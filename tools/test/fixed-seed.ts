import fc from 'fast-check';

/** Each run of `npm test` repeats the previous one, so that a property that fails here fails everywhere. */
fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) });
