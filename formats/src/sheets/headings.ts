// What headings of sheets mean, in Portuguese, English and Spanish and as other programs write them: one vocabulary for every sheet.
import { stripAccents } from '@balcao/contract/kit/validation'

/** What a column is about, whatever it is called. `contact` may be a name or a number; `number` any number. */
export type HeadingMeaning =
  | ('name' | 'givenName' | 'surname' | 'otherName' | 'contact')
  | ('phone' | 'whatsapp' | 'number' | 'areaCode' | 'countryCode')
  | ('email' | 'tags' | 'groups' | 'answers' | 'queue' | 'person')
  | ('password' | 'profile' | 'active' | 'start' | 'end')

/**
 * What a heading means; null: nothing we know.
 * @example readHeading('Nº de telefone (com DDD)') // 'phone'
 */
export function readHeading(head: string): HeadingMeaning | null {
  const words = splitWords(head)
  const known = WHOLE.get(words.filter(isNoDigit).join(''))
  if (known) return known
  if (words.some(word => OF_SOMETHING_ELSE.has(word))) return null
  const telling = words.filter(word => isNoDigit(word) && !FILLERS.has(word))
  if (
    telling.length > 0 &&
    telling.every(word => NAME.has(word) || WHATSAPP.has(word)) &&
    telling.some(word => NAME.has(word))
  )
    return 'name'
  if (words.some(word => WHATSAPP.has(word))) return 'whatsapp'
  if (words.some(word => PHONE.has(word))) return 'phone'
  if (words.some(word => EMAIL.has(word))) return 'email'
  return telling.length > 0 && telling.every(word => NUMBER.has(word)) ? 'number' : null
}

/** Whether these are the headings of an address book of Google's: what it calls labels sorts the phone, and not the customers. */
export function isGoogleExport(heads: readonly string[]): boolean {
  return heads.some(head => {
    const words = splitWords(head)
    return words.some(word => /^\d+$/.test(word)) && (words.includes('value') || words.includes('valor'))
  })
}

/** Whether a heading speaks of something that only hangs on a name or a number, such as a fax or a document. */
export function isOtherHeading(head: string): boolean {
  return splitWords(head).some(word => OF_SOMETHING_ELSE.has(word))
}

/** Longer ones are texts, which somebody may have put there to be read for seconds. */
const LONGEST_HEADING = 200

/** Its words, without accents and case; `phoneNumber` are two. */
function splitWords(head: string): string[] {
  if (head.length > LONGEST_HEADING) return []
  return stripAccents(head.normalize('NFKC').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
}

function isNoDigit(word: string): boolean {
  return !/^\d+$/.test(word)
}

const WORDS: Readonly<Record<HeadingMeaning, string>> = {
  name: 'nomecompleto fullname nombrecompleto displayname nomedeexibicao',
  givenName: 'primeironome firstname givenname primernombre nomeproprio nombredepila prenome',
  surname:
    'sobrenome sobrenomes lastname familyname surname apellido apellidos ultimonome middlename nomedomeio additionalname nomeadicional nomesadicionais segundonome segundonombre',
  otherName:
    'empresa company organization organizacao organizacion compania organizationname nomedaorganizacao nombredelaorganizacion nomedaempresa nombredelaempresa companyname razaosocial razonsocial nomefantasia fantasia publicname pushname apelido nickname apodo',
  contact: 'contato contact contacto cliente client customer paciente aluno',
  phone: '',
  whatsapp: '',
  number: '',
  areaCode: 'ddd areacode codigodearea codigoarea codarea prefixo prefijo',
  countryCode: 'ddi countrycode codigodopais codigodelpais codigopais codpais',
  email: 'email mail correo correoelectronico emailaddress',
  tags: 'tags tag etiquetas etiqueta labels label marcadores marcador grupo grupos group groups',
  groups: 'groupmembership associacaoaogrupo membrodogrupo',
  answers: 'respostaautomatica automaticreply autoreply respuestaautomatica respautomatica responde',
  queue: 'fila filas queue queues cola colas setor departamento department',
  person: 'usuario user atendente agent agente vendedor responsavel responsable seller',
  password: 'senha password contrasena clave',
  profile: 'perfil profile role rol',
  active: 'ativo active activo',
  start: 'inicio start starttime horainicio entrada comienzo',
  end: 'fim end endtime horafim saida fin horafin salida',
}

const MEANINGS = Object.keys(WORDS).filter((word): word is HeadingMeaning => word in WORDS)
const WHOLE = new Map(MEANINGS.flatMap(meaning => split(WORDS[meaning]).map(word => [word, meaning] as const)))

const NAME = words('nome nomes name names nombre nombres')
const WHATSAPP = words('whatsapp whats wpp wapp zap zapzap wa')
const PHONE = words(
  'tel telefone telefones fone fones celular celulares cel telefono telefonos movil telemovel phone phones mobile cell cellphone telephone msisdn',
)
const NUMBER = words('numero numeros number numbers num')
const EMAIL = words('email emails mail correo')
/** Beside a name or a number these say nothing else. */
const FILLERS = words(
  'de do da dos das del la el los of the para for no na n nro o a e y ou or com con with ddd cliente clientes client customer contato contact contacto paciente aluno pessoa person lead completo completa full saved salvo principal primary seu sua your tu value valor qual what is cual es',
)
/** With these a heading speaks of something that hangs on a name or a number. */
const OF_SOMETHING_ELSE = words(
  'label rotulo etiqueta type tipo kind assistant assistente asistente phonetic fonetico fonetica prefix prefixo sufixo suffix sufijo prefijo fax pager operadora carrier id cpf cnpj rg cep nascimento birthday obs observacao observacoes notes notas cidade city ciudad uf bairro pedido order status data date',
)

function words(text: string): ReadonlySet<string> {
  return new Set(split(text))
}

function split(text: string): string[] {
  return text.split(' ').filter(word => word !== '')
}
