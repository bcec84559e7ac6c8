/** Time limits of all tests are multiplied by TEST_TIME_SCALE, for machines that are slow or busy. */
export const TIME_SCALE = Number(process.env.TEST_TIME_SCALE || 1);
