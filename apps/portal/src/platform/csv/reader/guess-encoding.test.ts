import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { createDecoder } from './decoder.ts';
import { encode } from './encode-fakes.ts';
import { guessEncoding } from './guess-encoding.ts';

const NAMES = {
  polish: 'Łukasz Wiśniewski\nMałgorzata Dąbrowska\nPaweł Zieliński\nAgnieszka Woźniak\nBożena Król\nStanisław Wójcik',
  czech: 'Jiří Novák\nTomáš Dvořák\nKateřina Procházková\nOndřej Kučera\nZdeněk Růžička\nVojtěch Šťastný',
  russian: 'Иван Петров\nМария Смирнова\nАлексей Кузнецов\nЕкатерина Попова\nЮрий Щербаков\nЕлена Жукова',
  greek: 'Γιώργος Παπαδόπουλος\nΜαρία Νικολάου\nΕλένη Γεωργίου\nΝίκος Ιωάννου\nΣοφία Αλεξίου',
  turkish: 'Ayşe Yılmaz\nMehmet Çelik\nGülşen Öztürk\nİbrahim Şahin\nÇağrı Doğan\nÖzgür Aydın\nUğur Işık',
  german: 'Jörg Müller\nKäthe Weiß\nGünther Größmann\nSören Krüger\nBjörn Schäfer\nUrsula Höfer\nJürgen Köhler',
  french: 'François Lefèvre\nHélène Dubois\nRené Gauthier\nChloé Bénard\nJérôme Noël\nZoé Prévost\nGaëlle Mérieux',
  japanese: '山田太郎\n佐藤花子\n鈴木一郎\n高橋健太\n田中美咲\n伊藤さくら\n中村ひろし\n小林ユウキ\n加藤リエ',
  chinese: '王小明\n李娜\n张伟\n刘洋\n陈静\n杨磊\n赵敏\n黄勇\n周杰\n吴秀英',
  korean: '김민준\n이서연\n박지훈\n최수빈\n정예은\n강도윤',
};

describe('the encoding of names', () => {
  for (const [language, name] of [
    ['polish', 'Windows-1250'],
    ['czech', 'Windows-1250'],
    ['polish', 'ISO-8859-2'],
    ['czech', 'CP852'],
    ['russian', 'Windows-1251'],
    ['russian', 'KOI8-R'],
    ['russian', 'CP866'],
    ['russian', 'Mac Cyrillic'],
    ['greek', 'Windows-1253'],
    ['turkish', 'Windows-1254'],
    ['german', 'Windows-1252'],
    ['french', 'Windows-1252'],
    ['german', 'Mac Roman'],
    ['french', 'Mac Roman'],
    ['german', 'CP850'],
    ['french', 'CP850'],
    ['japanese', 'Shift_JIS'],
    ['japanese', 'EUC-JP'],
    ['chinese', 'GB18030'],
    ['korean', 'EUC-KR'],
  ] as const)
    it(`in ${language} and ${name} is recognized in an English browser`, () => {
      assert.equal(guessEncoding(encode(name, NAMES[language]), 'en-US').names[0], name);
    });

  it('follows the language of the browser if several are nearly as plausible, and is weak then', () => {
    const spanish = encode(
      'Windows-1252',
      'José Núñez\nMaría Peña\nSofía Gómez\nAndrés Márquez\nLucía Fernández\nRaúl Cañas',
    );
    const guess = guessEncoding(spanish, 'es-ES');
    assert.deepEqual([guess.names[0], guess.isWeak], ['Windows-1252', true]);
    assert.equal(guessEncoding(spanish, 'hu').names[0], 'Windows-1250');
  });

  it('is the expected one if others have the same letters', () => {
    const polish = encode('Windows-1250', 'Müller\nKöln');
    assert.equal(guessEncoding(polish, 'en').names[0], 'Windows-1252');
    assert.equal(guessEncoding(polish, 'pl').names[0], 'Windows-1250');
  });

  it('is weak for few letters, and not for many', () => {
    assert.equal(guessEncoding(encode('Windows-1254', 'Ayşe Yılmaz\nMehmet Çelik'), 'en').isWeak, true);
    for (const [language, name] of [
      ['german', 'Windows-1252'],
      ['turkish', 'Windows-1254'],
      ['greek', 'Windows-1253'],
      ['japanese', 'Shift_JIS'],
      ['korean', 'EUC-KR'],
    ] as const)
      assert.equal(guessEncoding(encode(name, NAMES[language]), 'en').isWeak, false, language);
  });
});

describe('encodings of DOS, which browsers do not know', () => {
  for (const [name, text, bytes] of [
    ['CP850', 'Jörg Müßig, señora Ñ', '4a 94 72 67 20 4d 81 e1 69 67 2c 20 73 65 a4 6f 72 61 20 a5'],
    ['CP852', 'Łukasz Świć Řehoř', '9d 75 6b 61 73 7a 20 97 77 69 86 20 fc 65 68 6f fd'],
  ] as const)
    it(`include ${name}`, () => {
      const decode = createDecoder(name);
      assert.equal(decode(Buffer.from(bytes.replaceAll(' ', ''), 'hex')) + decode(), text);
      assert.equal(encode(name, text).length, text.length);
    });
});
