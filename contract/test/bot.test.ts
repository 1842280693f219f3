// What somebody means by an answer to the bot (decisions-2 §9), whatever is written.
import { describe, expect, test } from 'bun:test'
import { buildBotMenu, MOST_QUESTIONS, resolveBotAnswer } from '../src/bot/bot.ts'
import { normalizeWords, renderMenuLines, renderMenuTexts, resolveMenuChoice } from '../src/follow-up/answers.ts'
import { findMostSimilar } from '../src/kit/similarity.ts'
import { measureProcessorMs } from './processor-time.ts'

const TEXTS = [
  'Horário e endereço',
  'Segunda via de boleto',
  'Entrega no meu bairro',
  'Trocar produto com defeito',
  'Falar com o financeiro',
  'Pix',
]
const questions = TEXTS.map(text => ({ text }))
/** The number of the question, or what else is meant. */
function resolveText(text: string, mayEnd = true): number | string | null {
  const answer = resolveBotAnswer(text, questions, mayEnd)
  return answer && typeof answer === 'object' ? questions.indexOf(answer.question) + 1 : answer
}

describe('an answer to the bot', () => {
  test('is a number, however it is written', () => {
    expect(['1', ' 2) ', '3️⃣', '4 - trocar', '"6"', '02'].map(text => resolveText(text))).toEqual([1, 2, 3, 4, 6, 2])
    expect(['99', '9️⃣9️⃣', '99 - Falar com aten…', '00', '0️⃣0️⃣', '00 - Encerrar'].map(text => resolveText(text))).toEqual([
      'somebody',
      'somebody',
      'somebody',
      'end',
      'end',
      'end',
    ])
    expect(['0', '7', '099', '000', '999', '1.5', '-'].map(text => resolveText(text))).toEqual(Array(7).fill(null))
  })

  test('is the text of a question, or of what is always there', () => {
    expect(TEXTS.map(text => resolveText(text.toUpperCase()))).toEqual([1, 2, 3, 4, 5, 6])
    expect(['falar com atendente', 'Encerrar!'].map(text => resolveText(text))).toEqual(['somebody', 'end'])
    expect([resolveText('00', false), resolveText('encerrar', false)]).toEqual([null, null])
  })

  test('is the one question clearly most alike', () => {
    const sentences = [
      'horarios e enderecos',
      'boleto',
      'quero a segunda via do boleto por favor',
      'bom dia, queria saber qual o horário e endereço de vocês por favor',
      'entregam no meu bairo?',
      'dá para pagar com pix?',
      'produto com defeito, quero trocar',
      'queria falar com um atendente',
    ]
    expect(sentences.map(text => resolveText(text))).toEqual([1, 2, 2, 1, 3, 6, 4, 'somebody'])
    const unlike = ['qual o frete', 'oi', 'falar com', 'kkkk', '😀', '', '???', 'x'.repeat(300), 'boleto '.repeat(60)]
    expect(unlike.map(text => resolveText(text))).toEqual(Array(unlike.length).fill(null))
  })

  test('of two that are as much alike is none', () => {
    const two = ['Entrega em Betim', 'Entrega em Contagem']
    expect([findMostSimilar('entrega', two), findMostSimilar('entrega em contagem', two)]).toEqual([null, 1])
    expect(findMostSimilar('pix', ['Pix', 'PIX!'])).toBeNull()
  })

  test('of two questions with one name the number decides', () => {
    const twins = [{ text: 'Preço' }, { text: 'Preço' }]
    const of = (text: string) => {
      const answer = resolveBotAnswer(text, twins, false)
      return answer && typeof answer === 'object' ? twins.indexOf(answer.question) : answer
    }
    expect([of('2'), of('preço')]).toEqual([1, 0])
    expect(resolveMenuChoice('2', ['Preço', 'Preço'])).toBe(1)
  })
})

test('numbers below 99 are for questions, and each line is chosen by itself, whole, however many messages they need', () => {
  const many = Array.from({ length: MOST_QUESTIONS }, (_, at) => ({ text: `Pergunta ${'x'.repeat(200)} ${at}` }))
  const menu = buildBotMenu(many, true)
  const texts = renderMenuTexts('Oi', menu, 4096)
  expect(texts.every(text => text.length <= 4096)).toBe(true)
  const lines = texts.flatMap(text => text.split('\n')).slice(-menu.length)
  expect(lines).toEqual(renderMenuLines(menu))
  expect(lines.map(line => resolveMenuChoice(line, menu))).toEqual(menu.map((_, at) => at))
  expect(renderMenuLines(menu).slice(-3)).toEqual([
    `98 - ${many[97]?.text}`,
    '99 - Falar com atendente',
    '00 - Encerrar',
  ])
})

test('the work grows with a text no faster than the text', async () => {
  const parts = ['a', '!', ' ', 'é', '- ', '1.', '\u0301', '😀', '…']
  const hostile = parts.map(part => `a${part.repeat(40_000)}a`)
  const measure = (work: (text: string) => unknown) => measureProcessorMs(() => hostile.map(work))
  const ours = await measure(text => [normalizeWords(text), resolveText(text)])
  const once = await measure(text => text.normalize('NFD').replace(/\s+/g, ' ').toLowerCase())
  // It is read a few times over; anything quadratic would be thousands of times as much.
  expect(ours).toBeLessThan(200 * Math.max(1, once))
})
