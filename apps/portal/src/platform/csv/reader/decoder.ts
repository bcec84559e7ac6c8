import type { EncodingName } from '../csv-encodings.ts';

/** Browsers know the others by their names. */
const LABELS: Partial<Record<EncodingName, string>> = {
  'UTF-16 LE': 'utf-16le',
  'UTF-16 BE': 'utf-16be',
  'Mac Roman': 'macintosh',
  'Mac Cyrillic': 'x-mac-cyrillic',
};

/** The characters from 128 on of encodings of DOS that browsers don't know. */
const TABLES: Partial<Record<EncodingName, string>> = {
  CP850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00AD±‗¾¶§÷¸°¨·¹³²■\u00A0',
  CP852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00AD˝˛ˇ˘§÷¸°¨˙űŘř■\u00A0',
};

/** Decodes pieces that may end inside a character; without a piece it ends the text. Throws for bytes without a meaning. */
export type Decode = (piece?: Uint8Array) => string;

export function createDecoder(name: EncodingName): Decode {
  const table = TABLES[name];
  if (table !== undefined) return (piece) => decodeByTable(table, piece);
  const decoder = new TextDecoder(LABELS[name] ?? name, { fatal: true, ignoreBOM: true });
  return (piece) => (piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true }));
}

function decodeByTable(table: string, piece: Uint8Array = new Uint8Array()): string {
  return Array.from(piece, (byte) => (byte < 128 ? String.fromCharCode(byte) : table[byte - 128])).join('');
}
