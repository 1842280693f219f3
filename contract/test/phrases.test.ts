// What people write as an answer, and what looks like one and means something else (decisions-2 §24).
import { describe, expect, test } from 'bun:test'
import { isStopMessage, parseRating, resolveMenuChoice } from '../src/follow-up/answers.ts'
import { findOnlyName, isOnlyThanks, isStopRequest, readRating } from '../src/follow-up/phrases.ts'
import { measureProcessorMs } from './processor-time.ts'

describe('a rating from 1 to 5', () => {
  const RATINGS: readonly (readonly [string, number | null])[] = [
    ['5', 5],
    ['5️⃣', 5],
    ['cinco', 5],
    ['Cinco!', 5],
    ['five', 5],
    ['cuatro', 4],
    ['três', 3],
    ['nota 5', 5],
    ['Nota: 4', 4],
    ['nota dez', null],
    ['minha nota é 5', 5],
    ['dou nota 5', 5],
    ['⭐⭐⭐⭐⭐', 5],
    ['⭐️⭐️⭐️', 3],
    ['⭐⭐⭐⭐⭐ obrigada!', 5],
    ['⭐⭐⭐⭐⭐⭐', null],
    ['⭐⭐⭐ demorou muito', null],
    ['3 - ótimo', null],
    ['5/5', 5],
    ['4 de 5', 4],
    ['5/10', null],
    ['5 estrelas', 5],
    ['five stars', 5],
    ['5 obrigado pelo atendimento', 5],
    ['obrigada, nota 5', 5],
    ['Bom dia! 5', 5],
    ['5 👏👏', 5],
    ['gracias, cinco', 5],
    ['5 caixas', null],
    ['quero 5', null],
    ['5 minutos', null],
    ['nota fiscal 5', null],
    ['a nota 5 não chegou', null],
    ['preciso de 2 unidades', null],
    ['1 ou 2', null],
    ['0', null],
    ['-5', null],
    ['obrigado', null],
    ['segunda', null],
    ['às 5', null],
  ]
  for (const [phrase, rate] of RATINGS) test(`${phrase} → ${rate}`, () => expect(parseRating(phrase)).toBe(rate))
})

describe('a line of a menu', () => {
  const MENU = ['Comercial', 'Financeiro', 'Segunda via de boleto', { number: '9', name: 'Outro assunto' }]
  const CHOICES: readonly (readonly [string, number | null])[] = [
    ['1', 0],
    ['1️⃣', 0],
    ['um', 0],
    ['opção 1', 0],
    ['Financeiro 1', null],
    ['Opção dois', 1],
    ['option 2', 1],
    ['opción 2', 1],
    ['quero a 2', 1],
    ['a primeira', 0],
    ['segunda opção', 1],
    ['2, por favor', 1],
    ['oi, 2', 1],
    ['nove', 3],
    ['comercial', 0],
    ['quero falar com o comercial', 0],
    ['Financeiro, por favor', 1],
    ['preciso da segunda via de boleto', 2],
    ['I want to talk to financeiro', 1],
    ['não quero o comercial', null],
    ['comercial ou financeiro', null],
    ['5 caixas', null],
    ['2 unidades do azul', null],
    ['4', null],
    ['meu boleto venceu', null],
    ['comercialização de grãos', null],
    ['bom dia', null],
  ]
  for (const [phrase, at] of CHOICES) test(`${phrase} → ${at}`, () => expect(resolveMenuChoice(phrase, MENU)).toBe(at))
})

describe('an end of mass sends', () => {
  const YES = [
    'SAIR',
    'Sair.',
    'quero sair',
    'quero sair da lista',
    'parar',
    'Pare!',
    'STOP',
    'stop please',
    'unsubscribe',
    'não quero mais receber',
    'Não quero receber mais mensagens',
    'nao quero receber propaganda',
    'pare de me mandar mensagens',
    'não me mande mais mensagens',
    'me tira da lista',
    'remove me from your list',
    "I don't want to receive more messages",
    'no quiero recibir más mensajes',
    'quiero darme de baja',
    'boa tarde, quero sair da lista por favor',
    'não quero mais receber promoções',
    'Não quero mais receber nada de vocês',
    'não desejo receber propagandas',
    'quero parar de receber mensagens',
    'não quero mais mensagens',
    'não mandem mais propaganda',
    'Não envie mais mensagens, por favor',
    'não me envie mais essas promoções',
    'parem de mandar mensagem',
    'para de me mandar propaganda no meu número',
    'chega de propaganda',
    'me tirem dessa lista de transmissão',
    'remova meu número da lista',
    'quero cancelar a inscrição da lista',
    'quero me descadastrar',
    'No me envíen más publicidad',
    'dejen de enviarme mensajes',
    'ya no quiero recibir promociones',
    'no más mensajes',
    'quiero salir de la lista',
    'Sácame de la lista',
    'sáquenme de la lista, por favor',
    'me saquen de la lista de difusión',
    'stop sending me messages',
    'Please stop texting me',
    'take me off your list',
    'I no longer wish to receive promotions',
    'I don’t want to receive any more messages',
    'don’t send me any more ads',
  ]
  const NO = [
    'não para de chegar',
    'a máquina parou',
    'quero parar a entrega de amanhã',
    'que horas vocês vão sair?',
    'o pedido vai sair hoje?',
    'não quero mais',
    'não quero mais receber o pedido amanhã, pode ser segunda?',
    'não quero receber a mercadoria com defeito',
    'cancelar',
    'quero cancelar meu pedido',
    'stop motion',
    'sair da academia',
    'ok',
    // "Posso enviar?", asked by who serves.
    'não envie',
    'Ok, não envie',
    'não envie mais',
    'não envie isso',
    'Não envie ainda, por favor',
    'não mande essa',
    'não me mande',
    'não mande mais nada',
    'não envie o boleto',
    'não envie essa mensagem',
    'não mande a mensagem para ele',
    'não me mande mensagem agora',
    'pare de enviar',
    'pare de me mandar isso',
    'quero parar',
    'não quero receber',
    'não quero receber isso',
    'não quero mais receber o jornal',
    'não quero promoção',
    'nada de mensagens ainda',
    'nada de mensagens',
    'me tira',
    'me tire daí',
    'me exclua',
    'me tira do grupo',
    'me tira da lista de espera',
    'quero sair do plano',
    'quero cancelar a inscrição',
    'quero cancelar inscrição',
    'no envíe',
    'No me envíe más',
    'no mande eso, por favor',
    'no quiero recibir esto',
    'no quiero recibir más envíos',
    'quiero cancelar la suscripción',
    'quiero dar de baja',
    'quiero salir',
    'stop sending',
    'stop sending it',
    'please don’t send it',
    'I don’t want to receive this',
    'I don’t want to get more',
    'remove me',
    'take me off',
  ]
  for (const phrase of YES) test(`${phrase} → yes`, () => expect(isStopMessage(phrase, 'SAIR')).toBe(true))
  for (const phrase of NO) test(`${phrase} → no`, () => expect(isStopMessage(phrase, 'SAIR')).toBe(false))
  test('without a word there is no way out', () =>
    expect(YES.map(phrase => isStopMessage(phrase, '')).includes(true)).toBe(false))
})

describe('thanks and nothing else', () => {
  const YES = [
    'obrigado!',
    'Obrigada',
    'muito obrigada pela ajuda',
    'obg',
    'vlw',
    'ok, obrigado',
    '👍',
    '👍🏽',
    '🙏🙏',
    '❤️',
    'bom dia, obrigado!',
    'igualmente',
    'thanks',
    'thank you so much!',
    'gracias',
    'muchas gracias 😊',
    'Perfeito, tenha um bom dia',
  ]
  const NO = [
    '',
    'obrigado, mas não chegou',
    'obrigado. E o boleto?',
    'ok, e o pedido?',
    '👎',
    '😡',
    '🤔',
    'obrigado?',
    'bom dia, tudo bem com o pedido',
    'valeu 50 reais',
    'oi',
    'Bom dia!',
    'por favor',
    'quero mais um',
    '?',
  ]
  for (const phrase of YES) test(`${phrase} → yes`, () => expect(isOnlyThanks(phrase)).toBe(true))
  for (const phrase of NO) test(`${phrase} → no`, () => expect(isOnlyThanks(phrase)).toBe(false))
})

test('a text without an end costs no time that grows with its square', async () => {
  const once = (text: string) => {
    for (let n = 0; n < 200; n++) {
      parseRating(text)
      isOnlyThanks(text)
      isStopMessage(text, 'SAIR')
      resolveMenuChoice(text, ['Comercial'])
    }
  }
  const measure = (length: number) => measureProcessorMs(() => once('obrigado '.repeat(length / 9)))
  await measure(9000)
  expect(await measure(90_000)).toBeLessThan((await measure(9000)) * 40 + 150)
})

test('stars are a rating where one is the least, and none from 0 to 10', () => {
  expect(readRating('⭐⭐⭐', 1, 5)).toBe(3)
  expect(readRating('⭐⭐⭐', 0, 10)).toBeNull()
})

test('a name of two letters is a word like any other within a sentence', () => {
  expect(findOnlyName('a loja do meu tio fica aqui na TI', ['TI', 'Vendas'])).toBeNull()
})

test("the company's own word for an end may be wanted", () => {
  expect(isStopRequest('quero silêncio', 'SILÊNCIO')).toBe(true)
  expect(isStopRequest('quero silêncio na obra', 'SILÊNCIO')).toBe(false)
})

test('a greeting at the beginning of a number is a part of it', () => {
  expect(readRating('oito', 0, 10)).toBe(8)
  expect(readRating('nota oito', 0, 10)).toBe(8)
})
