// Who is in files of contacts, and the cards (.vcf) that phones, address books and WhatsApp write of them.
import { encode16, encode1252 } from './sheet-files.ts'

export interface ContactFile {
  readonly file: string
  readonly bytes: Uint8Array
  /** Name and numbers of each contact that comes in. */
  readonly people: readonly string[]
  /** Row, field and code of what is wrong. */
  readonly faults?: readonly string[]
  readonly tags?: readonly string[]
  /** The address of each who comes in; without them nobody has one. */
  readonly emails?: readonly string[]
  readonly areaCode?: string
}

/** Somebody with everything, somebody with accents and two numbers, and a company. */
export const PEOPLE = [
  {
    ...{ first: 'Ana', middle: 'Maria', last: 'Souza', name: 'Ana Maria Souza', company: '', email: 'ana@example.com' },
    ...{
      mobile: '+55 31 98811-2201',
      work: '',
      both: '+55 31 98811-2201',
      digits: '5531988112201',
      labels: 'Clientes',
    },
  },
  {
    ...{ first: 'João', middle: '', last: 'Conceição', name: 'João Conceição', company: 'Açougue São João', email: '' },
    ...{
      mobile: '(31) 98811-2202',
      work: '(31) 3333-2202',
      both: '(31) 3333-2202 ::: (31) 98811-2202',
      digits: '5531988112202',
    },
    labels: 'VIP',
  },
  {
    ...{ first: '', middle: '', last: '', name: 'Padaria Açaí', company: 'Padaria Açaí', email: '' },
    ...{ mobile: '', work: '031 3333-2203', both: '031 3333-2203', digits: '553133332203', labels: '' },
  },
] as const
export type Field = keyof (typeof PEOPLE)[number]

/** All numbers, and those of a program that knows one of each. */
export const EVERYBODY = [
  'Ana Maria Souza 5531988112201',
  'João Conceição 5531988112202 553133332202',
  'Padaria Açaí 553133332203',
]
export const EMAILS = PEOPLE.map(({ email }) => email)
export const ONE_NUMBER = ['Ana Maria Souza 5531988112201', 'João Conceição 5531988112202', 'Padaria Açaí 553133332203']

/** Cards by who writes them; `*` stands for the lines of a card. */
export const CARDS: readonly ContactFile[] = [
  cards('iphone.vcf', ({ first, middle, last, name, company, email, mobile, work }) => [
    'BEGIN:VCARD',
    'VERSION:3.0',
    'PRODID:-//Apple Inc.//iPhone OS 19.1//EN',
    `N:${last};${first};${middle};;`,
    `FN:${name}`,
    `ORG:${company};`,
    email && `item1.EMAIL;type=INTERNET;type=pref:${email}`,
    mobile && `TEL;type=CELL;type=VOICE;type=pref:${mobile}`,
    work && `item2.TEL:${work}`,
    work && 'item2.X-ABLabel:_$!<Work>!$_',
    'PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQAASABIAAD/4QBARXhpZgAATU0A',
    ' KgAAAAgAAYdpAAQAAAABAAAAGgAAAAAAAqACAAQAAAABAAAAeKADAAQAAAABAAAAeAAAAAD/==',
    'END:VCARD',
  ]),
  cards('android-21.vcf', ({ first, middle, last, name, company, email, mobile, work }) => [
    'BEGIN:VCARD',
    'VERSION:2.1',
    `N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:${[last, first, middle].map(part => quote(part)).join(';')};;`,
    ...foldQuoted(`FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:${quote(name)}`),
    mobile && `TEL;CELL;PREF:${mobile}`,
    work && `TEL;WORK:${work}`,
    'TEL;WORK;FAX:(31) 3333-2290',
    email && `EMAIL;HOME:${email}`,
    company && `ORG;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:${quote(company)}`,
    'PHOTO;ENCODING=BASE64;JPEG:/9j/4AAQSkZJRgABAQAAAQABAAD/4gIoSUNDX1BST0ZJTEUAAQEA',
    ' AAIYAAAAAAIQAABtbnRyUkdCIFhZWiAAAAAA==',
    '',
    'END:VCARD',
  ]),
  cards('android-30.vcf', ({ first, middle, last, name, company, mobile, work }) => [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${last};${first};${middle};;`,
    `FN:${name}`,
    mobile && `TEL;TYPE=CELL;TYPE=PREF:${mobile}`,
    work && `TEL;TYPE=WORK:${work}`,
    company && `ORG:${company}`,
    'CATEGORIES:myContacts,Clientes',
    'X-ANDROID-CUSTOM:vnd.android.cursor.item/nickname;Zé;1;;;;;;;;;;;;;',
    'END:VCARD',
  ]),
  cards('google-40.vcf', ({ first, middle, last, name, company, email, mobile, work }) => [
    'BEGIN:VCARD',
    'VERSION:4.0',
    `FN;PROP-ID=p1:${name}`,
    `N:${last};${first};${middle};;`,
    company && `ORG;SORT-AS="${company}":${company}`,
    mobile && `TEL;VALUE=uri;TYPE="cell,voice";PREF=1:tel:${mobile.replaceAll(' ', '-')}`,
    work && `TEL;VALUE=uri;TYPE=work:tel:${work}`,
    email && `EMAIL;TYPE=home:mailto:${email}`,
    'PHOTO:data:image/jpeg;base64,/9j/4AAQSkZJRg==',
    'END:VCARD',
  ]),
  cards(
    'outlook-21.vcf',
    ({ first, middle, last, name, company, mobile, work }) => [
      'BEGIN:VCARD',
      'VERSION:2.1',
      `N;LANGUAGE=pt-br;CHARSET=Windows-1252:${last};${first};${middle}`,
      `FN;CHARSET=Windows-1252:${name}`,
      `ORG;CHARSET=Windows-1252:${company}`,
      work && `TEL;WORK;VOICE:${work}`,
      mobile && `TEL;CELL;VOICE:${mobile}`,
      'ADR;WORK;PREF;CHARSET=Windows-1252;ENCODING=QUOTED-PRINTABLE:;;Rua A, 1=0D=0A=',
      'Fundos;Belo Horizonte;MG',
      'X-MS-OL-DEFAULT-POSTAL-ADDRESS:2',
      'END:VCARD',
    ],
    encode1252,
  ),
  cards('quoted-windows.vcf', ({ name, both }) => [
    'BEGIN:VCARD',
    'VERSION:2.1',
    ...foldQuoted(`FN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:${quote(name, encode1252)}`),
    ...both.split(' ::: ').map(number => `TEL;CELL:${number}`),
    'END:VCARD',
  ]),
  cards(
    'whatsapp.vcf',
    ({ name, digits }) => [
      'BEGIN:VCARD',
      'VERSION:3.0',
      `N:;${name};;;`,
      `FN:${name}`,
      `TEL;type=CELL;type=VOICE;waid=${digits}:${digits.slice(4)}`,
      'X-WA-BIZ-NAME:Loja',
      'END:VCARD',
    ],
    undefined,
    ONE_NUMBER,
  ),
  cards(
    'mac-lines.vcf',
    ({ name, both }) => ['BEGIN:VCARD', 'VERSION:3.0', `FN:${name}`, `TEL:${both}`, 'END:VCARD'],
    value => Buffer.from(value.replaceAll('\r\n', '\r')),
  ),
  cards(
    'utf16.vcf',
    ({ name, both }) => ['BEGIN:VCARD', 'VERSION:3.0', `FN:${name}`, `TEL:${both}`, 'END:VCARD'],
    value => encode16(value, 'le'),
  ),
  cards('small-letters.vcf', ({ name, both }) => [
    'begin:vcard',
    'version:3.0',
    `fn:${name}`,
    `tel:${both}`,
    'end:vcard',
  ]),
  cards('names-in-parts.vcf', ({ first, middle, last, company, both }) => [
    'BEGIN:VCARD',
    'VERSION:2.1',
    last === '' ? '' : `N:${last};${first};${middle};Dr.;`,
    company === '' ? '' : `ORG:${company};Vendas`.replace(/;Vendas$/, last === '' ? ';' : ';Vendas'),
    `TEL;CELL:${both}`,
    'END:VCARD',
  ]),
  {
    file: 'escapes.vcf',
    bytes: Buffer.from(
      [
        ...['BEGIN:VCARD', 'VERSION:4.0', 'FN:Souza\\, Ana\\; da loja\\nde baixo', 'TEL:31 98811-2201', 'END:VCARD'],
        ...['BEGIN:VCARD', 'VERSION:3.0', 'N:Lima\\, Filho;Bruno;;;', 'TEL:31 98811-2202', 'END:VCARD', ''],
      ].join('\r\n'),
    ),
    people: ['Souza, Ana; da loja de baixo 5531988112201', 'Bruno Lima, Filho 5531988112202'],
  },
  cards('folded.vcf', ({ name, both }) => [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `FN:${name.slice(0, 4)}`,
    ` ${name.slice(4)}`,
    `TEL:${both.slice(0, 6)}`,
    `\t${both.slice(6)}`,
    'END:VCARD',
  ]),
]

function cards(
  file: string,
  write: (person: (typeof PEOPLE)[number]) => readonly string[],
  encode: (value: string) => Uint8Array = value => Buffer.from(value),
  people: readonly string[] = EVERYBODY,
): ContactFile {
  const lines = PEOPLE.flatMap(write).filter((line, at, all) => line !== '' || all[at + 1] === 'END:VCARD')
  const hasEmail = lines.some(line => line.includes(PEOPLE[0].email))
  return { file, bytes: encode(`${lines.join('\r\n')}\r\n`), people, ...(hasEmail && { emails: EMAILS }) }
}

/** As quoted-printable writes it. */
function quote(value: string, encode: (value: string) => Uint8Array = one => Buffer.from(one)): string {
  return [...encode(value)].map(octet => `=${octet.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}

/** Broken off after 76 signs. */
function foldQuoted(line: string): string[] {
  const head = line.indexOf(':') + 1
  const parts = (line.slice(head).match(/(?:=..){1,8}/g) ?? []).map((part, at, all) =>
    at < all.length - 1 ? `${part}=` : part,
  )
  return [`${line.slice(0, head)}${parts[0] ?? ''}`, ...parts.slice(1)]
}
