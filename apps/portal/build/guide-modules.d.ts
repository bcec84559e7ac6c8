declare module 'virtual:guide/*' {
  export const page: import('../src/features/guide/pages.ts').GuidePage;
}
