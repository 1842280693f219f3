// How people write an answer: with a greeting or thanks around it, in words instead of digits, with emoji (decisions-2 §24). What is left
// once courtesy is taken away must be the answer and nothing else: "5 caixas" is an order, not a rating.
import { normalizeWords } from '../kit/normalize-words.ts'

/** With these somebody begins a conversation: by themselves they are no thanks. */
const GREETINGS = [
  'bom dia|boa tarde|boa noite|oi|ola|opa|good morning|good afternoon|good evening|hi|hello|buenos dias|buenas tardes|buenas noches|hola',
]
const THANKS = [
  'muito obrigado|muito obrigada|muitissimo obrigado|muitissimo obrigada|obrigado|obrigada|obrigadao|brigado|brigada|obg|obgd|obgda|brigadao',
  'valeu mesmo|valeu|vlw|agradeco|agradecido|agradecida|grato|grata|muito grato|muito grata|gratidao',
  'pelo atendimento|pelo otimo atendimento|pela ajuda|pela atencao|pelo suporte|pela informacao|por tudo|pela rapidez',
  'tchau|ate logo|ate mais|ate breve|ate amanha|abraco|abracos|um abraco|beijo|beijos|bjs|abs',
  'bom trabalho|bom descanso|bom fim de semana|otimo dia|tenha um bom dia|tenha um otimo dia|uma otima semana|igualmente|pra voce tambem|para voce tambem|voce tambem|pra vc tambem',
  'de nada|por nada|imagina|disponha|ok|okay|blz|beleza|certo|certinho|ta bom|ta|tudo bem|tudo certo|perfeito|combinado|entendi|show|maravilha|joia|otimo|excelente|top',
  'thank you so much|thank you very much|thank you|many thanks|thanks a lot|thanks|thx|ty|for your help|for the help|for everything|cheers|you too|welcome',
  'good night|bye|goodbye|see you|great|perfect|have a nice day|have a good day',
  'muchas gracias|mil gracias|gracias|por la ayuda|por su ayuda|por la atencion|por todo|por el servicio|agradezco|igualmente',
  'adios|chau|hasta luego|hasta pronto|saludos|un saludo|de acuerdo|vale|listo|perfecto|genial|excelente',
]
const FILLERS = [
  'por favor|por gentileza|pfv|pf|please|muito|mto|mt|mesmo|demais|viu|tambem|amigo|amiga|querido|querida|gente|pessoal',
]
const COURTESY = toPhrases([...GREETINGS, ...THANKS, ...FILLERS])
const THANKFUL = toPhrases(THANKS)
/** Emoji that say no more than thanks, a greeting or that all is well. */
const KIND_EMOJI = /[👍👌🙏🤝👏🙌😊😀😃😄😁🙂☺😍🥰😘😉🤗❤💙💚💛🧡💜💖💕🌹🌷🌻✨🎉✅👋🤩😎💪]/gu
const UNSEEN = /[\ufe0e\ufe0f\u200b-\u200d]|\p{Emoji_Modifier}/gu
/** More is no phrase but a letter: it is looked at no further. */
const LONGEST = 160

const NUMBER_WORDS: readonly (readonly string[])[] = [
  ['zero', 'cero'],
  ['um', 'uma', 'one', 'uno', 'una'],
  ['dois', 'duas', 'two', 'dos'],
  ['tres', 'three'],
  ['quatro', 'four', 'cuatro'],
  ['cinco', 'five'],
  ['seis', 'six'],
  ['sete', 'seven', 'siete'],
  ['oito', 'eight', 'ocho'],
  ['nove', 'nine', 'nueve'],
  ['dez', 'ten', 'diez'],
]
const ORDINAL_WORDS: readonly (readonly string[])[] = [
  [],
  ['primeiro', 'primeira', 'first', 'primero', 'primera'],
  ['segundo', 'segunda', 'second'],
  ['terceiro', 'terceira', 'third', 'tercero', 'tercera'],
  ['quarto', 'quarta', 'fourth', 'cuarto', 'cuarta'],
  ['quinto', 'quinta', 'fifth'],
  ['sexto', 'sexta', 'sixth'],
  ['setimo', 'setima', 'seventh', 'septimo', 'septima'],
  ['oitavo', 'oitava', 'eighth', 'octavo', 'octava'],
  ['nono', 'nona', 'ninth', 'noveno', 'novena'],
  ['decimo', 'decima', 'tenth'],
]

/** Nothing but thanks, a farewell or a kind sign, in pt, en or es; who only greets begins something. */
export function isOnlyThanks(text: string): boolean {
  if (text.length > LONGEST || text.includes('?')) return false
  const isThankful = normalizeWords(text).match(THANKFUL) !== null || text.match(KIND_EMOJI) !== null
  return isThankful && stripCourtesy(text) === ''
}

/**
 * The rating that is all somebody says, between `from` and `to`; null: something else is said, or none.
 * @example readRating('obrigada, nota 5', 1, 5) // 5
 */
export function readRating(text: string, from: number, to: number): number | null {
  if (text.length > LONGEST) return null
  const stars = text.replace(UNSEEN, '').match(/[⭐🌟★]/gu)?.length ?? 0
  const rest = stripCourtesy(text.replace(/[⭐🌟★☆]/gu, ' '))
  if (stars > 0) return rest === '' && from === 1 && stars <= to ? stars : null
  const said = removePhrases(
    rest,
    /\b(?:minha|a|e|nota|dou|daria|avaliacao|my|rating|score|is|i give|le doy|doy|nota es|calificacion|puntuacion|mi)\b/g,
  )
  const [, digits, word, of] =
    /^(?:(\d{1,2})|([a-z]+))(?: ?(?:\/|de|of|out of) ?(\d{1,2}))?(?: (?:estrelas?|stars?|estrellas?))?$/.exec(said) ??
    []
  const rate =
    digits !== undefined
      ? Number(digits)
      : word === undefined
        ? -1
        : NUMBER_WORDS.findIndex(words => words.includes(word))
  return rate >= from && rate <= to && (of === undefined || Number(of) === to) ? rate : null
}

/**
 * The number of the line of a menu that is all somebody says: "opção 2", "a segunda", "dois, por favor"; null: something else is said.
 * @example readOptionNumber('quero a opção 2') // '2'
 */
export function readOptionNumber(text: string): string | null {
  if (text.length > LONGEST) return null
  const rest = stripCourtesy(text)
  const said = removePhrases(
    rest,
    /\b(?:eu|quero|queria|gostaria|prefiro|escolho|pode ser|seria|e|a|o|da|do|la|el|the|i want|i choose|quiero|elijo|opcao|opcion|option|numero|number|item|alternativa)\b/g,
  )
  if (/^\d{1,3}$/.test(said)) return said
  const at = NUMBER_WORDS.findIndex((words, n) => words.includes(said) || (ORDINAL_WORDS[n] ?? []).includes(said))
  return at === -1 ? null : String(at)
}

/**
 * Which one of several names stands in a sentence, from 0, where it is exactly one and nobody says that it is not; else null.
 * @example findOnlyName('quero falar com o comercial', ['Comercial', 'Financeiro']) // 0
 */
export function findOnlyName(sentence: string, names: readonly string[]): number | null {
  if (sentence.length > LONGEST) return null
  const said = toWords(sentence)
  if (/ (?:nao|nunca|sem|nem|no|not|never|sin|dont|don't) /.test(said)) return null
  const found = names.flatMap((name, at) => {
    const words = toWords(name)
    if (words.trim().length < SHORTEST_NAME || !said.includes(words)) return []
    // A number beside it may mean another line of the menu.
    return /\d/.test(said.replace(words, ' ')) ? [] : [at]
  })
  return found.length === 1 ? (found[0] ?? null) : null
}

const SHORTEST_NAME = 3

/** Whether a sentence asks for nothing but an end of messages; `word` is the company's own for it, which may be wanted too ("quero sair"). */
export function isStopRequest(text: string, word: string): boolean {
  if (text.length > LONGEST) return false
  const normalized = normalizeWords(word)
  if (normalized === '') return false
  const own = normalized.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  // Every message is asked; hardly any has one of the words that are needed for it.
  if (!STOPPING.test(normalizeWords(text.replace(UNSEEN, '')))) return false
  const words = stripCourtesy(text)
  return STOPS.some(pattern => pattern.test(words)) || words === `quero ${own}` || words === `quiero ${own}`
}

// Whoever serves asks "posso enviar?", "mando o boleto?": what says neither messages nor a list is an answer to that, and no end of sends.
const SENDS =
  '(?:mensagem|mensagens|msgs?|mensajes?|messages?|texts?|propagandas?|promocao|promocoes|promocion|promociones|promotions?|anuncios?|ads|ofertas|offers|publicidade|publicidad|marketing|spam|newsletters?|divulgacao|divulgacoes)'
const ABOUT_SENDS = ` (?:(?:mais|mas|more|any|any more|nenhuma|nenhum|ningun|essas|esses|estas|estos|esas|esos|these|those|suas|seus|sus|your|tantas|tantos|esse tipo de|este tipo de|ese tipo de|con) )*${SENDS}`
const END =
  '(?: (?:mais|mas|nunca mais|any more|anymore|de voces|de ustedes|from you|por aqui|aqui|here|por whatsapp|no meu (?:numero|celular|whatsapp)|de (?:propaganda|promocao|promocoes|marketing|publicidad)|promocionais|promocionales|publicitarias))*'
const LIST =
  '(?:(?:da|dessa|desta|de la|de esta|de esa|de su|da sua|from the|from your|from this|off the|off your|off this) (?:lista|mailing list|list)|(?:do|desse|deste) grupo de envios)(?: de (?:envios|transmissao|mensagens|propaganda|promocoes|contatos|difusion|mensajes|publicidad))?'
const STOPS: readonly RegExp[] = [
  '(?:parar|pare|parem|stop|unsubscribe|descadastrar|baja)',
  '(?:quero|queria|gostaria de) (?:me )?descadastrar',
  `(?:(?:eu )?(?:quero|queria|gostaria de|quiero) (?:me )?)?(?:sair|salir|salirme|descadastrar|cancelar (?:a |la |minha |mi )?(?:inscricao|suscripcion)) ${LIST}`,
  `(?:eu )?nao (?:quero|desejo|gostaria de) (?:mais receber|receber mais)(?: nada)?${END}`,
  `(?:eu )?nao (?:quero|desejo|gostaria de)(?: mais)? receber${ABOUT_SENDS}${END}`,
  `(?:quero|queria|gostaria de) parar de receber(?:${ABOUT_SENDS})?${END}`,
  `(?:eu )?nao quero mais (?:mensagens|propagandas?|spam)${END}`,
  `(?:yo )?(?:ya )?no (?:quiero|deseo) (?:mas recibir|recibir mas)(?: nada)?${END}`,
  `(?:yo )?(?:ya )?no (?:quiero|deseo)(?: mas)? recibir${ABOUT_SENDS}${END}`,
  "i (?:do not|don'?t|don t|no longer) (?:want|wish) to receive(?: any)? more",
  `i (?:do not|don'?t|don t|no longer) (?:want|wish) to (?:receive|get)${ABOUT_SENDS}${END}`,
  `(?:quero que )?(?:pare|parem|para|parar) de (?:me )?(?:mandar|enviar|mandarem|enviarem)${ABOUT_SENDS}${END}`,
  `(?:deje|dejen|deja) de (?:mandar|enviar)(?:me)?${ABOUT_SENDS}${END}`,
  `(?:eu )?nao (?:me )?(?:mande|mandem|envie|enviem)${ABOUT_SENDS}${END}`,
  `no (?:me )?(?:mande|manden|mandes|envie|envien|envies)${ABOUT_SENDS}${END}`,
  `(?:please )?(?:do not|don'?t|don t) send me${ABOUT_SENDS}${END}`,
  `stop sending(?: me)?${ABOUT_SENDS}${END}`,
  `stop (?:texting|messaging)(?: me)?${END}`,
  '(?:no more|no mas|chega de) (?:mensagens|mensajes|messages|texts|propagandas?|publicidad|spam)',
  `(?:me (?:tire|tira|tirem|remova|remove|removam|exclua|excluam|retire|retirem)|(?:me )?(?:quite|quiten|saquen)(?:me)?|sacame|(?:please )?(?:remove me|take me)|(?:tirar|tire|tirem|remover|remova|removam|exclua) (?:o )?meu numero) ${LIST}`,
  '(?:quiero )?(?:darme|denme|deme) de baja',
].map(pattern => new RegExp(`^${pattern}$`))
/** One of these stands in whatever asks for an end. */
const STOPPING =
  /quero|quiero|desej|deseo|gostaria|par[ae]|stop|unsubscribe|descadastrar|baja|sa[cilq]|cancelar|receive|get|mand|envi|send|more|no mas|chega|dej|tir|remov|exclua|quite|take/

/** Words without what is said out of courtesy, signs, accents and capitals, parted by single blanks. */
function stripCourtesy(text: string): string {
  const plain = normalizeWords(text.replace(UNSEEN, '').replace(KIND_EMOJI, ' '))
  return removePhrases(plain.replace(/[^\p{L}\p{N}/'\p{Extended_Pictographic}]+/gu, ' ').trim(), COURTESY)
}

function removePhrases(text: string, phrases: RegExp): string {
  return text.replace(phrases, ' ').replace(/\s+/g, ' ').trim()
}

function toWords(text: string): string {
  return ` ${normalizeWords(text)
    .replace(/[^\p{L}\p{N}']+/gu, ' ')
    .trim()} `
}

function toPhrases(rows: readonly string[]): RegExp {
  const all = rows.flatMap(row => row.split('|')).sort((one, other) => other.length - one.length)
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${all.join('|')})(?![\\p{L}\\p{N}])`, 'gu')
}
