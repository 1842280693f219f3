// Sheets of other programs, as people have them: understood without choosing columns, and what the look says is what comes of them
// (decisions-2 §14, §22, §24; docs/decisions/0209, 0280).
import { beforeEach, describe, expect, test } from 'bun:test'
import type { Contact, Job, JobReference, ResponseBody } from '@balcao/contract'
import * as XLSX from 'xlsx'
import { type ApiAnswer, startDeskServer } from './desk-server.ts'
import { makePerson, makeQueue } from './desk-world.ts'
import { takeRounds } from './rounds.ts'
import { encode16, encode1252, encodeDos, readBase64Cells } from './sheet-files.ts'
import { waitUntil } from './until.ts'

type Looked = Exclude<ResponseBody<'POST /contacts/import'>, JobReference>
type Begun = Partial<Looked & JobReference> & { readonly error?: string; readonly details?: unknown }

const server = await startDeskServer()
const sql = server.db.$client

await makePerson(server.db, { name: 'Marina', profile: 'admin', queueIds: [await makeQueue(server.db, 'Vendas')] })
const marina = await server.as('Marina')

beforeEach(async () => {
  await sql`truncate contact, ticket, protocol cascade`
  await sql`delete from tag`
  await sql`delete from job`
})

/** Who is in the sheet, as name and number; the codes of what is wrong, row by row. */
interface Fixture {
  readonly file: string
  readonly text?: string
  readonly bytes?: Uint8Array
  readonly people: Readonly<Record<string, string>>
  readonly wrong?: readonly (readonly [row: number, code: string])[]
}

const ANA = { 'Ana Souza': '5531988112201' }
const GOOGLE =
  'First Name,Middle Name,Last Name,Nickname,Organization Name,Notes,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value'
const HTML =
  '<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1252"></head><body><table border=1><tr><td>Nome</td><td>Telefone</td></tr><tr><td>José da Conceição</td><td>031988112301</td></tr></table></body></html>'
const XML2003 =
  '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="P"><Table><Row><Cell><Data ss:Type="String">Nome</Data></Cell><Cell><Data ss:Type="String">Telefone</Data></Cell></Row><Row><Cell><Data ss:Type="String">José</Data></Cell><Cell><Data ss:Type="Number">31988112303</Data></Cell></Row></Table></Worksheet></Workbook>'

const FIXTURES: readonly Fixture[] = [
  ...headingFixtures([
    ...['Telefone celular', 'Tel.', 'Tel', 'Nº de telefone', 'Número de telefone', 'Telefone 1', 'Celular/WhatsApp'],
    ...['WhatsApp (com DDD)', 'Phone Number', 'Mobile Phone', 'Número de WhatsApp', 'Contato', 'Fone/Celular'],
    ...['DDD+Telefone', 'Teléfono móvil', 'phone_number', 'phoneNumber', 'Número', 'TELEFONE DO CLIENTE', 'Zap'],
  ]),
  {
    file: 'google.csv',
    text: `${GOOGLE}\nAna,Maria,Souza,,,,* myContacts,* ,ana@example.com,Mobile,+55 31 98811-2201,Work,+55 31 3333-2201\nBruno,,Lima,,Padaria Lima,"linha 1\nlinha 2; com ""aspas""",* myContacts ::: Clientes,,,Work,31 3333-2202,Mobile,31 98811-2202\n,,,,Oficina do Zé,,* myContacts,,,Mobile,+55 31 98811-2203 ::: +55 31 98811-2213,,`,
    people: { 'Ana Maria Souza': '5531988112201', 'Bruno Lima': '5531988112202', 'Oficina do Zé': '5531988112203' },
  },
  {
    file: 'google-pt.csv',
    text: 'Nome,Nome do meio,Sobrenome,Nome fonético,Prefixo do nome,Apelido,Marcadores,E-mail 1 - Rótulo,E-mail 1 - Valor,Telefone 1 - Rótulo,Telefone 1 - Valor\nAna,Maria,Souza,,,,* myContacts,,,Celular,31 98811-2201',
    people: { 'Ana Maria Souza': '5531988112201' },
  },
  {
    file: 'google-old.csv',
    text: 'Name,Given Name,Additional Name,Family Name,Group Membership,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value\nAna Souza,Ana,,Souza,* myContacts ::: Clientes,* ,ana@example.com,Mobile,+55 31 98811-2201',
    people: ANA,
  },
  {
    file: 'google-old-pt.csv',
    text: 'Nome,Primeiro nome,Nome adicional,Sobrenome,Associação ao grupo,E-mail 1 - Tipo,E-mail 1 - Valor,Telefone 1 - Tipo,Telefone 1 - Valor\nAna Souza,Ana,,Souza,* myContacts,,,Celular,+55 31 98811-2201',
    people: ANA,
  },
  {
    file: 'outlook.csv',
    text: '\ufeff"First Name","Middle Name","Last Name","Company","Business Phone","Home Phone","Mobile Phone","E-mail Address"\n"Ana","","Souza","","","","+55 31 98811-2201","ana@example.com"',
    people: ANA,
  },
  {
    file: 'outlook-pt.csv',
    bytes: encode1252(
      '"Tratamento";"Nome";"Segundo nome";"Sobrenome";"Sufixo";"Empresa";"Telefone comercial";"Telefone celular";"Endereço de email"\n"";"João";"";"Conceição";"";"Açougue São João";"(31) 3333-2204";"(31) 98811-2204";"joao@example.com"\n"";"";"";"";"";"Açougue São João";"(31) 3333-2205";"";""',
    ),
    people: { 'João Conceição': '5531988112204', 'Açougue São João': '553133332205' },
  },
  {
    file: 'chatwoot.csv',
    text: '\ufeffid,name,email,identifier,phone_number,ip_address\n1,Ana Souza,ana@example.com,x1,+5531988112201,\n2,Sem Número,,,,',
    people: ANA,
    wrong: [[3, 'numberRequired']],
  },
  {
    file: 'meta.csv',
    bytes: encode16(
      'id\tcreated_time\tad_name\tform_name\tplatform\tfull_name\temail\tphone_number\nl:1001\t2026-11-20T10:00:00-03:00\tPromo\tF\tig\tAna Souza\tana@example.com\tp:+5531988112201\nl:1002\t2026-11-20T11:00:00-03:00\tPromo\tF\tfb\tBruno Lima\tb@example.com\tp:31988112202',
      'le',
    ),
    people: { ...ANA, 'Bruno Lima': '5531988112202' },
  },
  {
    file: 'extractor.csv',
    text: 'Country Code,Country Name,Phone Number,Formatted Phone,Is My Contact,Saved Name,Public Name,Group Name\n55,Brazil,31988112201,+55 31 98811-2201,true,Ana Souza,ana,VIP\n55,Brazil,988112224,,false,,bru,VIP\n351,Portugal,912345678,,false,,Rui,VIP',
    people: { ...ANA, Rui: '351912345678' },
    wrong: [[3, 'areaCodeMissing']],
  },
  {
    file: 'area.csv',
    text: 'Nome;DDD;Telefone\nAna Souza;31;98811-2201\nBruno Lima;(011);98811-2202\nCaio Prado;;98811-2203\nDavi Prado;20;98811-2204',
    people: { ...ANA, 'Bruno Lima': '5511988112202' },
    wrong: [
      [4, 'areaCodeMissing'],
      [5, 'areaCodeMissing'],
    ],
  },
  {
    file: 'title.csv',
    text: ';;\nRelatório de clientes - 20/11/2026;;\n\nNome;Telefone;E-mail\nAna Souza;31988112201;',
    people: ANA,
  },
  { file: 'sep.csv', text: 'sep=;\r\nNome;Telefone\r\nAna Souza;31 98811-2201', people: ANA },
  { file: 'pipe.csv', text: 'Nome|Telefone\nAna Souza|31988112201', people: ANA },
  { file: 'tabs.xls', text: 'Nome\tTelefone\nAna Souza\t(31) 98811-2201', people: ANA },
  {
    file: 'commas.csv',
    text: '"Nome, completo";"Telefone, WhatsApp";"Observações, notas, etc, outras"\nAna Souza;31988112201;a',
    people: ANA,
  },
  {
    file: 'breaks.csv',
    text: '"Nome";"Telefone\r\n(com DDD)";"Obs"\r\n"Ana Souza";"31988112201";"a\r\nb"\r\n',
    people: ANA,
  },
  {
    file: 'guard.csv',
    text: 'Nome;Telefone\nAna Souza;="5531988112201"\nMaria Lima;\'+5531988112206\nJosé Lima;\u202a+55 31 98811\u20112205\u202c\nCaio;5531988112207@c.us',
    people: { ...ANA, 'Maria Lima': '5531988112206', 'José Lima': '5531988112205', Caio: '5531988112207' },
  },
  {
    file: 'dos.csv',
    bytes: encodeDos('Nome;Telefone\nJosé da Conceição;31988112229'),
    people: { 'José da Conceição': '5531988112229' },
  },
  {
    file: 'windows.csv',
    bytes: encode1252('Nome;Telefone\n“José” – Conceição;31988112229'),
    people: { '“José” – Conceição': '5531988112229' },
  },
  { file: 'utf16.csv', bytes: encode16('Nome;Telefone\nJosé;31988112227', 'be'), people: { José: '5531988112227' } },
  { file: 'page.xls', bytes: encode1252(HTML), people: { 'José da Conceição': '5531988112301' } },
  { file: 'excel2003.xls', text: XML2003, people: { José: '5531988112303' } },
  { file: 'list.txt', text: 'Nome;Telefone\nJosé;31988112305', people: { José: '5531988112305' } },
  { file: 'text.xlsx', bytes: encode1252('Nome;Telefone\r\nJosé;31988112304'), people: { José: '5531988112304' } },
  {
    file: 'phone.vcf',
    text: 'BEGIN:VCARD\r\nVERSION:3.0\r\nN:Souza;Ana;;;\r\nFN:Ana Souza\r\nitem1.TEL;type=CELL;type=pref:+55 31 98811-2201\r\nEND:VCARD\r\nBEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=43=6F=6E=63=65=69=C3=A7=\r\n=C3=A3=6F;=4A=6F=C3=A3=6F;;;\r\nTEL;HOME:(31) 3333-2202\r\nTEL;CELL:31 98811-2202\r\nEND:VCARD\r\n',
    people: { ...ANA, 'João Conceição': '5531988112202' },
  },
  {
    file: 'no-heading.csv',
    text: 'Ana Souza;31988112201\nBruno Lima;31988112202\nCaio;123',
    people: { ...ANA, 'Bruno Lima': '5531988112202' },
    wrong: [[3, 'numberLength']],
  },
  {
    file: 'numbers.csv',
    text: '5531988112201\n31 98811-2202\n988112203',
    people: { '': '5531988112201' },
    wrong: [[3, 'areaCodeMissing']],
  },
  {
    file: 'cover.xlsx',
    bytes: workbook({
      Capa: [['Clientes da loja'], [], ['Contato: Marina']],
      Dados: [
        ['Nome', 'Telefone'],
        ['Ana Souza', 31988112201],
      ],
    }),
    people: ANA,
  },
  {
    file: 'title.xlsx',
    bytes: workbook({ A: [['Clientes'], [], ['Nome', 'Telefone'], ['Ana Souza', '31 98811-2201']] }),
    people: ANA,
  },
  {
    file: 'sheet.ods',
    bytes: workbook(
      {
        A: [
          ['Nome', 'Telefone'],
          ['Ana Souza', '031988112201'],
        ],
      },
      'ods',
    ),
    people: ANA,
  },
  {
    file: 'two-phones.csv',
    text: 'Nome;Telefone;Celular\nAna Souza;;31988112201\nBruno Lima;3133332315;31988112315\nCaio Prado;3133332316;',
    people: { ...ANA, 'Bruno Lima': '5531988112315', 'Caio Prado': '553133332316' },
  },
  {
    file: 'wrong.csv',
    text: 'Nome;Telefone\nSem DDD;98811-2201\nZeros;000000000\nRamal;31 3333-2201 ramal 12\nDuas vezes;555531988112201\nDDD repetido;3131988112201\nExcel;5,53199E+12\nTexto;não tem\nAna Souza;31988112201\nAna Souza;(31) 98811-2201\nOutra Ana;+55 31 8811-2201',
    people: ANA,
    wrong: [
      ...([
        [2, 'areaCodeMissing'],
        [3, 'numberUnreadable'],
        [4, 'numberUnreadable'],
        [5, 'numberUnreadable'],
      ] as const),
      ...([
        [6, 'numberUnreadable'],
        [7, 'numberUnreadable'],
        [8, 'numberUnreadable'],
        [11, 'numberTwice'],
      ] as const),
    ],
  },
]

describe('§24: a sheet of another program', () => {
  test.each(takeRounds(FIXTURES, 12).map(one => [one.file, one] as const))(
    '%s is understood, and what the look says is what comes of it',
    async (_, fixture) => {
      const looked = (await send(fixture, '?preview=true')).body
      expect(looked.errors?.map(({ row, code }) => [row, code])).toEqual((fixture.wrong ?? []).map(one => [...one]))
      const { created = 0, updated = 0, skipped = 0, wrong = 0 } = looked
      const job = await take(fixture)
      expect(job.result?.counts).toEqual({ created, updated, skipped, failed: wrong })
      const stored = (await contacts()).map(({ name, number }) => [name, number ?? ''])
      expect(stored).toHaveLength(created)
      for (const one of Object.entries(fixture.people)) expect(stored).toContainEqual(one)
      // Once more it changes nothing, and the look knows.
      const again = (await send(fixture, '?preview=true')).body
      expect([again.created, again.updated, again.wrong]).toEqual([0, 0, wrong])
      expect((await take(fixture)).result?.counts).toMatchObject({ created: 0, updated: 0, skipped: again.skipped })
      expect(await sql`select 1 from tag`).toHaveLength(0)
    },
  )

  test('Google’s labels become tags when somebody says so, without the group of everybody', async () => {
    const text = `${GOOGLE}\nBruno,,Lima,,,,* myContacts ::: Clientes ::: VIP,,,Mobile,31 98811-2202,,`
    const fixture = { file: 'google.csv', text, people: {} }
    const { columns = [] } = (await send(fixture, '?preview=true')).body
    const chosen = columns.map(({ head, field }) => (head === 'Labels' ? 'tags' : field))
    await take(fixture, { columns: JSON.stringify(chosen) })
    expect((await contacts()).flatMap(({ tags }) => tags.map(({ name }) => name)).sort()).toEqual(['Clientes', 'VIP'])
  })

  test('numbers without an area code take the one that was chosen; one that is none is refused', async () => {
    const fixture = { file: 'a.csv', text: 'Nome;Telefone\nAna Souza;98811-2201\nBruno Lima;11 98811-2202', people: {} }
    expect((await send(fixture, '?preview=true')).body).toMatchObject({ created: 1, wrong: 1 })
    expect((await send(fixture, '?preview=true', { areaCode: '31' })).body).toMatchObject({ created: 2, wrong: 0 })
    expect((await send(fixture, '?preview=true', { areaCode: '20' })).status).toBe(422)
    await take(fixture, { areaCode: '31' })
    expect((await contacts()).map(({ number }) => number)).toEqual(['5531988112201', '5511988112202'])
  })

  test('two rows about one contact are looked at one after the other, as they are taken in', async () => {
    await take({ file: 'a.csv', text: 'Nome;Telefone\nAna Souza;31 98811-2201', people: {} })
    const [ana] = await contacts()
    await sql`insert into contact_identity (kind, value, contact_id) values ('pn', '553133332201', ${ana?.id ?? 0})`
    const text = 'Nome;Telefone;Tags\nAna Prado;31 98811-2201;VIP\nAna Prado;31 3333-2201;vip\nAna Souza;31 3333-2201;'
    const fixture = { file: 'a.csv', text, people: {} }
    const { created = 0, updated = 0, skipped = 0, wrong = 0 } = (await send(fixture, '?preview=true')).body
    expect([created, updated, skipped, wrong]).toEqual([0, 1, 1, 1])
    expect((await take(fixture)).result?.counts).toEqual({ created, updated, skipped, failed: wrong })
  })

  test('what is wrong is said in the words of the screen and the language of who asked', async () => {
    const rows = { file: 'a.csv', text: 'Nome;Telefone\nAna Souza;98811-2201', people: {} }
    const readRefusal = async (language: string) =>
      readBase64Cells((await send(rows, `?preview=true&language=${language}`)).body.errorSheet)[1]?.at(-1)
    expect(await readRefusal('pt')).toBe('Número: Falta o DDD')
    expect(await readRefusal('en')).toBe('Number: The area code is missing')
    expect(await readRefusal('es')).toBe('Número: Falta el código de área')
    const job = await take(rows, {}, '?language=en')
    const sheet = await marina.call<{ base64: string }>('GET', `/jobs/${job.id}/errors`)
    expect(readBase64Cells(sheet.body)[1]?.at(-1)).toBe('Number: The area code is missing')
  })

  test('the first row of a sheet without a heading is told among the wrong ones', async () => {
    const job = await take({ file: 'a.csv', text: 'Ana Souza;98811-2201\nBruno Lima;31 98811-2202', people: {} })
    const sheet = await marina.call<{ base64: string }>('GET', `/jobs/${job.id}/errors`)
    expect(readBase64Cells(sheet.body)).toEqual([
      ['nome', 'numero', 'erro'],
      ['Ana Souza', '98811-2201', 'Número: Falta o DDD'],
    ])
  })
})

function headingFixtures(heads: readonly string[]): Fixture[] {
  return heads.map(head => ({
    file: `${head.replace(/\W/g, '-')}.csv`,
    text: `Nome;${head}\nAna Souza;31988112201`,
    people: ANA,
  }))
}

function workbook(
  sheets: Readonly<Record<string, readonly (readonly (string | number)[])[]>>,
  bookType: 'xlsx' | 'ods' = 'xlsx',
): Uint8Array {
  const book = XLSX.utils.book_new()
  for (const [name, rows] of Object.entries(sheets))
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows.map(row => [...row])), name)
  return XLSX.write(book, { type: 'buffer', bookType })
}

function send(
  { file, text, bytes }: Fixture,
  query = '',
  fields: Record<string, string> = {},
): Promise<ApiAnswer<Begun>> {
  const form = new FormData()
  form.append('medias', new File([text ?? new Uint8Array(bytes ?? [])], file))
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return marina.call<Begun>('POST', `/contacts/import${query}`, form)
}

async function take(fixture: Fixture, fields: Record<string, string> = {}, query = ''): Promise<Job> {
  const { status, body } = await send(fixture, query, fields)
  expect([status, body.error]).toEqual([202, undefined])
  const own = async () => (await marina.call<Job>('GET', `/jobs/${body.jobId}`)).body
  await waitUntil('the job has ended', async () => (await own()).endedAt !== null)
  return own()
}

async function contacts(): Promise<Contact[]> {
  return (await marina.call<{ contacts: Contact[] }>('GET', '/contacts?all=true')).body.contacts
}
