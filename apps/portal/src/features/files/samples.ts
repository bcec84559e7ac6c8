export interface FileSample {
  name: string;
  size: string;
  /** Dates look like 2026-02-19. */
  date: string;
}

/** Files are grouped by type, in the order of the screen (docs/product.md, section 2). */
export const FILE_GROUPS = [
  {
    kind: 'video',
    title: 'Video',
    files: [
      { name: 'Team meeting.mp4', size: '184 MB', date: '2026-02-24' },
      { name: 'Office tour.mov', size: '96.2 MB', date: '2026-01-15' },
    ],
  },
  {
    kind: 'image',
    title: 'Image',
    files: [
      { name: 'Logo.png', size: '48 KB', date: '2026-02-11' },
      { name: 'Floor plan.jpg', size: '2.1 MB', date: '2025-12-03' },
      {
        name: 'Whiteboard of the planning week, second attempt with everything that was left open.jpg',
        size: '3.4 MB',
        date: '2025-11-20',
      },
    ],
  },
  {
    kind: 'text',
    title: 'Text',
    files: [
      { name: 'Meeting notes.txt', size: '6 KB', date: '2026-02-26' },
      { name: 'Read me first.md', size: '3 KB', date: '2025-10-08' },
    ],
  },
  {
    kind: 'xml',
    title: 'XML',
    files: [
      { name: 'Product feed.xml', size: '412 KB', date: '2026-02-19' },
      { name: 'Price list.xml', size: '38 KB', date: '2026-01-30' },
    ],
  },
  {
    kind: 'office',
    title: 'Office',
    files: [
      { name: 'Budget.xlsx', size: '88 KB', date: '2026-02-20' },
      { name: 'Handbook.docx', size: '1.2 MB', date: '2026-01-09' },
      { name: 'Kick-off.pptx', size: '7.6 MB', date: '2025-11-12' },
    ],
  },
  {
    kind: 'other',
    title: 'Other',
    files: [
      { name: 'Fonts.zip', size: '14.9 MB', date: '2026-01-22' },
      { name: 'Contacts.vcf', size: '21 KB', date: '2025-12-17' },
    ],
  },
] as const satisfies readonly { kind: string; title: string; files: readonly FileSample[] }[];

export type FileKind = (typeof FILE_GROUPS)[number]['kind'];
