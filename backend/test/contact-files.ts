// Files of contacts as other programs write them, made from a table: the headings of a program, its marks, its characters, its container.
import * as XLSX from 'xlsx'
import { CARDS, type ContactFile, EMAILS, EVERYBODY, type Field, ONE_NUMBER, PEOPLE } from './contact-cards.ts'
import { encode16, encode1252, encodeDos } from './sheet-files.ts'

export const COLUMNS = ['Nome', 'Telefone', 'E-mail'] as const
export const ROWS = PEOPLE.map(({ name, digits, email }) => [name, digits, email])

const GOOGLE_NEW =
  'First Name=first|Middle Name=middle|Last Name=last|Phonetic First Name|Phonetic Middle Name|Phonetic Last Name|Name Prefix|Name Suffix|Nickname|File As|Organization Name=company|Organization Title|Organization Department|Birthday|Notes|Photo|Labels=:* myContacts ::: Clientes|E-mail 1 - Label=:* |E-mail 1 - Value=email|Phone 1 - Label=:Work|Phone 1 - Value=work|Phone 2 - Label=:Mobile|Phone 2 - Value=mobile|Custom Field 1 - Label|Custom Field 1 - Value'
const GOOGLE_OLD =
  'Name=name|Given Name=first|Additional Name=middle|Family Name=last|Yomi Name|Given Name Yomi|Name Prefix|Name Suffix|Initials|Nickname|Short Name|Maiden Name|Birthday|Gender|Location|Billing Information|Directory Server|Mileage|Occupation|Hobby|Sensitivity|Priority|Subject|Notes|Language|Photo|Group Membership=:* myContacts ::: VIP|E-mail 1 - Type=:* |E-mail 1 - Value=email|Phone 1 - Type=:Mobile|Phone 1 - Value=both|Organization 1 - Type|Organization 1 - Name=company|Website 1 - Type|Website 1 - Value'
const OUTLOOK =
  "Title|First Name=first|Middle Name=middle|Last Name=last|Suffix|Company=company|Department|Job Title|Business Street|Business Street 2|Business Street 3|Business City|Business State|Business Postal Code|Business Country/Region|Home Street|Home Street 2|Home Street 3|Home City|Home State|Home Postal Code|Home Country/Region|Other Street|Other Street 2|Other Street 3|Other City|Other State|Other Postal Code|Other Country/Region|Assistant's Phone=:+55 11 98811-2299|Business Fax=:+55 31 3333-2290|Business Phone=work|Business Phone 2|Callback|Car Phone|Company Main Phone|Home Fax|Home Phone|Home Phone 2|ISDN|Mobile Phone=mobile|Other Fax|Other Phone|Pager|Primary Phone|Radio Phone|TTY/TDD Phone|Telex|Account|Anniversary|Assistant's Name=:Rita|Billing Information|Birthday=:0/0/00|Business Address PO Box|Categories|Children|Directory Server|E-mail Address=email|E-mail Type=:SMTP|E-mail Display Name=name|E-mail 2 Address|E-mail 2 Type|E-mail 2 Display Name|E-mail 3 Address|Gender=:Unspecified|Government ID Number|Hobby|Home Address PO Box|Initials|Internet Free Busy|Keywords|Language|Location|Manager's Name=:Rui|Mileage|Notes|Office Location|Organizational ID Number|Other Address PO Box|Priority=:Normal|Private=:False|Profession|Referred By|Sensitivity=:Normal|Spouse|User 1|User 2|User 3|User 4|Web Page"

/** Programs by the headings they write: `Heading=field of a person`, or `Heading=:text`. */
const PROGRAMS: readonly (readonly [
  file: string,
  heads: string,
  write: (rows: Rows) => Uint8Array,
  people?: readonly string[],
])[] = [
  ['google-new-en.csv', GOOGLE_NEW, text(',')],
  [
    'google-new-pt.csv',
    'Primeiro nome=first|Nome do meio=middle|Sobrenome=last|Primeiro nome fonético|Nome do meio fonético|Sobrenome fonético|Prefixo do nome|Sufixo do nome|Apelido|Salvar como|Nome da organização=company|Cargo na organização|Departamento da organização|Data de nascimento|Observações|Foto|Marcadores=:* myContacts|E-mail 1 - Rótulo|E-mail 1 - Valor=email|Telefone 1 - Rótulo=:Trabalho|Telefone 1 - Valor=work|Telefone 2 - Rótulo=:Celular|Telefone 2 - Valor=mobile',
    text(','),
  ],
  [
    'google-new-es.csv',
    'Nombre=first|Segundo nombre=middle|Apellidos=last|Nombre de la organización=company|Notas|Etiquetas=:* myContacts|Correo electrónico 1 - Etiqueta|Correo electrónico 1 - Valor=email|Teléfono 1 - Etiqueta=:Móvil|Teléfono 1 - Valor=both',
    text(','),
  ],
  ['google-old-en.csv', GOOGLE_OLD, text(',')],
  ['google-old-utf16.csv', GOOGLE_OLD, text(',', value => encode16(value, 'le'))],
  [
    'google-old-pt.csv',
    'Nome=name|Primeiro nome=first|Nome adicional=middle|Sobrenome=last|Associação ao grupo=:* myContacts|E-mail 1 - Tipo|E-mail 1 - Valor=email|Telefone 1 - Tipo=:Celular|Telefone 1 - Valor=both|Organização 1 - Nome=company',
    text(','),
  ],
  ['outlook-en.csv', OUTLOOK, text(',', encode1252)],
  ['outlook-en-utf8.csv', OUTLOOK, text(',', encodeMarked)],
  [
    'outlook-pt.csv',
    'Tratamento|Nome=first|Segundo nome=middle|Sobrenome=last|Sufixo|Empresa=company|Departamento|Cargo|Rua do endereço comercial|Fax comercial=:(31) 3333-2290|Telefone comercial=work|Telefone residencial|Telefone celular=mobile|Pager|Nome do assistente=:Rita|Telefone do assistente=:(11) 98811-2299|Aniversário=:0/0/00|Categorias|Endereço de email=email|Tipo de email=:SMTP|Nome para exibição do email=name|Nome do gerente=:Rui|Observações',
    text(';', encode1252),
  ],
  [
    'outlook-es.csv',
    'Título|Nombre=first|Segundo nombre=middle|Apellidos=last|Sufijo|Compañía=company|Fax del trabajo=:31 3333-2290|Teléfono del trabajo=work|Teléfono móvil=mobile|Dirección de correo electrónico=email|Nombre del asistente=:Rita',
    text(';', encode1252),
  ],
  [
    'chatwoot.csv',
    'id=:7|name=name|email=email|identifier|phone_number=digits|ip_address|created_at=:2026-11-20T10:00:00Z',
    text(','),
    ONE_NUMBER,
  ],
  ['chatwoot-labels.csv', 'Name=name|Email=email|Phone Number=both|Company Name=company', text(',')],
  [
    'whaticket.csv',
    'id=:1|name=name|number=digits|email=email|profilePicUrl=:https://pps.whatsapp.net/1',
    text(','),
    ONE_NUMBER,
  ],
  ['whaticket.xlsx', 'name=name|number=digits|email=email', book('xlsx'), ONE_NUMBER],
  ['ticketz.csv', 'Nome=name|WhatsApp=digits|E-mail=email', text(';', encodeMarked), ONE_NUMBER],
  [
    'meta-en.csv',
    'id=:l:1001|created_time=:2026-11-20T10:00:00-03:00|ad_id=:ag:120210|ad_name=:Promo|form_id=:f:99|form_name=:F|is_organic=:false|platform=:ig|full_name=name|email=email|phone_number=:p',
    text('\t', value => encode16(value, 'le')),
    ONE_NUMBER,
  ],
  [
    'meta-pt.csv',
    'id=:l:1001|created_time=:2026-11-20T10:00:00-03:00|campaign_name=:Promo|form_name=:F|platform=:fb|nome_completo=name|e-mail=email|número_do_telefone=:p|lead_status=:CREATED',
    text('\t', value => encode16(value, 'le')),
    ONE_NUMBER,
  ],
  [
    'meta-parts.csv',
    'id=:l:1001|created_time=:2026-11-20T10:00:00-03:00|platform=:ig|first_name=first|last_name=last|company_name=company|phone_number=:p',
    text('\t', value => encode16(value, 'le')),
    ['Ana Souza 5531988112201', ...ONE_NUMBER.slice(1)],
  ],
  [
    'extractor.csv',
    'Country Code=:55|Country Name=:Brazil|Phone Number=digits|Formatted Phone=both|Is My Contact=:true|Saved Name=name|Public Name=company|Group Name=:VIP',
    text(','),
    EVERYBODY,
  ],
  [
    'erp-page.xls',
    'Código=:17|Razão Social=company|Nome=name|CNPJ=:12.345.678/0001-95|Endereço=:Rua A|Número=:120|Telefone=work|Celular=mobile|E-mail=email',
    page('Relatório de clientes'),
  ],
  [
    'erp-tab.xls',
    'CODIGO=:17|NOME DO CLIENTE=name|CPF/CNPJ=:123.456.789-09|FONE=both|CIDADE=:Belo Horizonte|UF=:MG',
    text('\t', encode1252),
  ],
  ['erp-dos.txt', 'CODIGO=:17|NOME=name|FONE=both', text(';', encodeDos)],
  [
    'erp-title.csv',
    'Nome=name|Telefone=both|Última compra=:20/11/2026',
    text(';', encodeMarked, 'Relatório de clientes;;\r\nEmitido em 20/11/2026;;\r\n\r\n'),
  ],
  ['erp-sep.csv', 'Nome=name|Telefone=both', text(';', encode1252, 'sep=;\r\n')],
  ['erp-cover.xlsx', 'Nome=name|Fone=both', book('xlsx', [['Loja Centro'], [], ['Emitido por Marina']])],
  ['erp-cover.ods', 'Nome=name|Fone=both', book('ods', [['Loja Centro'], [], ['Emitido por Marina']])],
  [
    'erp-names.csv',
    'ID=:17|Nome=name|Fantasia=company|Endereço=:Rua A|Número=:120|Bairro=:Centro|CEP=:30130-010|Fone=work|Celular=mobile|E-mail=email',
    text(';'),
  ],
  [
    'crm.csv',
    'Pessoa - Nome=name|Pessoa - Telefone - Trabalho=work|Pessoa - Telefone - Celular=mobile|Pessoa - E-mail=email',
    text(','),
  ],
  [
    'form.csv',
    'Carimbo de data/hora=:20/11/2026 10:00:00|Qual é o seu nome?=name|Qual é o seu WhatsApp?=both',
    text(','),
  ],
  ['no-known-heading.csv', 'quem=name|onde se acha=both|desde=:2026-11-20', text(';')],
]

/** The same three people in every set of characters with every mark between. */
const TEXTS = Object.entries({
  utf8: (value: string) => Buffer.from(value),
  marked: encodeMarked,
  windows: encode1252,
  dos: encodeDos,
  utf16le: (value: string) => encode16(value, 'le'),
  utf16be: (value: string) => encode16(value, 'be'),
}).flatMap(([set, encode]) =>
  Object.entries({ comma: ',', semicolon: ';', tab: '\t', pipe: '|' }).map(
    ([mark, sign]): ContactFile => ({
      file: `${set}-${mark}.csv`,
      bytes: text(sign, encode)([[...COLUMNS], ...ROWS]),
      people: ONE_NUMBER,
      emails: EMAILS,
    }),
  ),
)

/** What goes wrong in sheets of all kinds, and what is chosen. */
const ODD: readonly ContactFile[] = [
  odd(
    'wrong-numbers.csv',
    'Nome;Telefone\nCurto;3198\nSem DDD;98811-2201\nRamal;31 3333-2201 ramal 12\nExcel;5,53199E+12\nBrasil esquecido;+31 98811-2230\nAna;31988112201',
    ['Ana 5531988112201'],
    [
      '2 numero numberLength',
      '3 numero areaCodeMissing',
      '4 numero numberUnreadable',
      '5 numero numberUnreadable',
      '6 numero numberUnreadable',
    ],
  ),
  {
    ...odd('area-chosen.csv', 'Nome;Telefone\nAna;98811-2201\nBia;3333-2202\nCaio;11 98811-2203', [
      'Ana 5531988112201',
      'Bia 553133332202',
      'Caio 5511988112203',
    ]),
    areaCode: '31',
  },
  odd('area-column.csv', 'Nome;DDD;Telefone\nAna;31;98811-2201\nBia;(011);98811-2202', [
    'Ana 5531988112201',
    'Bia 5511988112202',
  ]),
  odd(
    'guards.csv',
    'Nome;Telefone\nAna;="5531988112201"\nBia;\'+5531988112202\nCaio;\u202a+55 31 98811\u20112203\u202c\nDora;5531988112204@c.us\nEva;tel:+55-31-98811-2205\nFlora;p:+5531988112206\nGil;(0xx31) 98811-2207\nHugo;https://wa.me/5531988112208',
    [
      'Ana 5531988112201',
      'Bia 5531988112202',
      'Caio 5531988112203',
      'Dora 5531988112204',
      'Eva 5531988112205',
      'Flora 5531988112206',
      'Gil 5531988112207',
      'Hugo 5531988112208',
    ],
  ),
  odd(
    'abroad.csv',
    'Nome;Telefone\nAna;+52 1 55 1234 5678\nBia;5491131234567\nCaio;00351912345678\nDora;+1 415 555 2671',
    ['Ana 525512345678', 'Bia 5491131234567', 'Caio 351912345678', 'Dora 14155552671'],
  ),
  odd(
    'several.csv',
    'Nome;Telefone\nAna;31 3333-2201 / 31 98811-2201\nBia;31 98811-2202 e 31 98811-2203\nCaio;(31) 98811-2204\n',
    ['Ana 5531988112201 553133332201', 'Bia 5531988112202 5531988112203', 'Caio 5531988112204'],
  ),
  {
    ...odd('tags.csv', 'Nome;Telefone;Tags\nAna;31988112201;VIP, Clientes', ['Ana 5531988112201']),
    tags: ['VIP', 'Clientes'],
  },
  odd(
    'repeated.csv',
    'Nome;Telefone\nAna;31988112201\nOutra Ana;+55 31 8811-2201',
    ['Ana 5531988112201'],
    ['3 numero numberTwice'],
  ),
  odd('quoted-breaks.csv', '"Nome";"Telefone\r\n(com DDD)"\r\n"Ana";"31988112201\r\n31988112202"\r\n', [
    'Ana 5531988112201 5531988112202',
  ]),
  odd('no-heading.csv', 'Ana Souza;31988112201\nBruno Lima;31988112202', [
    'Ana Souza 5531988112201',
    'Bruno Lima 5531988112202',
  ]),
  odd('numbers-alone.txt', '5531988112201\n31 98811-2202', [' 5531988112201', ' 5531988112202']),
]

export const FILES: readonly ContactFile[] = [
  ...PROGRAMS.map(([file, heads, write, people = EVERYBODY]) => ({
    ...{ file, bytes: write(toRows(heads)), people },
    ...(heads.includes('=email') && { emails: EMAILS }),
  })),
  ...TEXTS,
  ...CARDS,
  ...ODD,
]

type Rows = readonly (readonly string[])[]

function toRows(heads: string): Rows {
  const columns = heads.split('|').map(column => column.split('='))
  const cells = (person: (typeof PEOPLE)[number]) =>
    columns.map(([, value = '']) =>
      value === ':p'
        ? `p:+${person.digits}`
        : value.startsWith(':')
          ? value.slice(1)
          : isField(value)
            ? person[value]
            : '',
    )
  return [columns.map(([head = '']) => head), ...PEOPLE.map(cells)]
}

function isField(text: string): text is Field {
  return text in PEOPLE[0]
}

function encodeMarked(value: string): Uint8Array {
  return Buffer.from(`\ufeff${value}`)
}

function text(mark: string, encode: (value: string) => Uint8Array = value => Buffer.from(value), title = '') {
  const cell = (value: string) =>
    /["\r\n]/.test(value) || value.includes(mark) ? `"${value.replaceAll('"', '""')}"` : value
  return (rows: Rows) => encode(`${title}${rows.map(row => row.map(cell).join(mark)).join('\r\n')}\r\n`)
}

function book(bookType: 'xlsx' | 'ods', cover?: Rows) {
  return (rows: Rows): Uint8Array => {
    const made = XLSX.utils.book_new()
    for (const [name, sheet] of [
      ['Capa', cover],
      ['Dados', rows],
    ] as const)
      if (sheet) XLSX.utils.book_append_sheet(made, XLSX.utils.aoa_to_sheet(sheet.map(row => [...row])), name)
    return XLSX.write(made, { type: 'buffer', bookType })
  }
}

function page(title: string) {
  return (rows: Rows) => {
    const lines = rows.map(row => `<tr>${row.map(cell => `<td>${cell}</td>`).join('')}</tr>`)
    return encode1252(
      `<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1252"></head><body><table border=1><tr><td colspan=4><b>${title}</b></td></tr>${lines.join('\n')}</table></body></html>`,
    )
  }
}

function odd(file: string, value: string, people: readonly string[], faults: readonly string[] = []): ContactFile {
  return { file, bytes: Buffer.from(value), people, faults }
}
