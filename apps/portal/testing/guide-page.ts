import type { GuidePage } from '#features/guide/pages.ts';

export const page: GuidePage = { title: 'Guide', html: '<p>The guide.</p>', sections: [] };
