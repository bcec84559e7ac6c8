import { File, FileCode, FileSpreadsheet, FileText, Film, Image, type LucideIcon } from 'lucide-react';
import type { FileKind } from './samples.ts';

const ICONS: Record<FileKind, LucideIcon> = {
  video: Film,
  image: Image,
  text: FileText,
  xml: FileCode,
  office: FileSpreadsheet,
  other: File,
};

/** The icon of a kind of file. */
export function FileIcon({ kind }: { kind: FileKind }) {
  const Drawing = ICONS[kind];
  return <Drawing size={18} strokeWidth={1.75} aria-hidden="true" />;
}
