// What becomes of an answer of a Typebot flow: lines that are for us, and what is said and asked (decisions-2 §10), without a server.
import { describe, expect, test } from 'bun:test'
import lines from '@balcao/contract/texts/lines/pt.json'
import { listCommandLines, separateCommands } from '../src/messaging/typebot/commands.ts'
import { buildPlan } from '../src/messaging/typebot/plan.ts'
import { readAnswer } from '../src/messaging/typebot/protocol.ts'
import { joinLines, parseRichText } from '../src/messaging/typebot/rich-text.ts'
import { b, p } from './typebot-text.ts'

describe('decisions-2 §10: lines of the flow that are for us', () => {
  const sorted = (text: string, theirs: readonly string[] = []) => {
    const { shown: said, commands } = separateCommands(
      parseRichText(text.split('\n').map(line => p(b(line)))),
      listCommandLines(theirs),
    )
    return { said: joinLines(said), commands }
  }
  test.each<[string, string, object[]]>([
    ['Um momento\n#fila Vendas', 'Um momento', [{ do: 'queue', name: 'Vendas' }]],
    ['#Fila: Vendas ', '', [{ do: 'queue', name: 'Vendas' }]],
    ['# atendente ana@loja.example', '', [{ do: 'person', name: 'ana@loja.example' }]],
    ['#tag Cliente novo\nPronto!', 'Pronto!', [{ do: 'tag', name: 'Cliente novo' }]],
    ['#ENCERRAR', '', [{ do: 'close' }]],
    ['#humano', '', [{ do: 'people' }]],
    ['#fila', '', [{ do: 'unknown', word: '#fila' }]],
    ['#promocao hoje', '', [{ do: 'unknown', word: '#promocao' }]],
    ['Pedido #123\n#1 em vendas', 'Pedido #123\n#1 em vendas', []],
  ])('%p', (text, said, commands) => expect(sorted(text)).toEqual({ said, commands } as never))

  test('what a customer wrote gives no orders by being repeated, whatever stands behind it', () => {
    expect(sorted('#encerrar', ['oi\n#encerrar'])).toEqual({ said: '#encerrar', commands: [] })
    expect(sorted('#encerrar, tudo bem?', ['#encerrar'])).toEqual({ said: '#encerrar, tudo bem?', commands: [] })
    expect(sorted('#fila Vendas', ['#encerrar'])).toMatchObject({ commands: [{ do: 'queue' }] })
    const much = Array.from({ length: 300 }, (_, n) => `#x${n}`)
    for (const written of [much, [much.join('\n')], Array.from({ length: 300 }, () => '#x')])
      expect(sorted('#encerrar', written)).toEqual({ said: '#encerrar', commands: [] })
  })
})

describe('decisions-2 §10: an answer of a flow', () => {
  const text = (id: string, words: string) => ({
    id,
    type: 'text',
    content: { type: 'richText', richText: [p(b(words))] },
  })
  const plan = (json: object) => {
    const answer = readAnswer({ messages: [], ...json })
    if (!answer) throw new Error('no answer')
    return buildPlan(answer, [], true)
  }
  const choice = { id: 'p', type: 'choice input', items: [{ id: 'a', content: 'Sim' }] }

  test('no answer is one that has no messages', () => {
    for (const odd of [null, 5, 'x', [], {}, { messages: {} }]) expect(readAnswer(odd)).toBeNull()
  })
  test('a text before another input stays as it is', () => {
    const { sayings } = plan({ messages: [text('1', 'E-mail?')], input: { id: 'p', type: 'email input' } })
    expect(sayings).toMatchObject([{ say: 'text', text: 'E-mail?' }])
  })
  test('a text right before a choice stands above its lines; one further up stays by itself', () => {
    const { sayings } = plan({ messages: [text('1', 'Olá'), text('2', 'Pode ser?')], input: choice })
    expect(
      sayings.map(each => (each.say === 'menu' ? ['menu', each.words] : each.say === 'text' ? [each.text] : [])),
    ).toEqual([['Olá'], ['menu', 'Pode ser?']])
  })
  test.each<[string, object, object]>([
    ['picture', { id: '1', type: 'image', content: { url: 'https://a.example/x.png' } }, { say: 'file', as: 'image' }],
    [
      'svg',
      { id: '1', type: 'image', content: { url: 'https://a.example/x.svg' } },
      { say: 'text', text: 'https://a.example/x.svg' },
    ],
    ['gif', { id: '1', type: 'image', content: { url: 'https://a.example/x.gif?a=1' } }, { say: 'text' }],
    ['sound', { id: '1', type: 'audio', content: { url: 'https://a.example/x.mp3' } }, { say: 'file', as: 'audio' }],
    [
      'film',
      { id: '1', type: 'video', content: { type: 'url', url: 'https://a.example/x.mp4' } },
      { say: 'file', as: 'video' },
    ],
    [
      'film of youtube',
      { id: '1', type: 'video', content: { type: 'youtube', id: 'abc' } },
      { say: 'text', text: 'https://www.youtube.com/watch?v=abc' },
    ],
    [
      'film of vimeo',
      { id: '1', type: 'video', content: { type: 'vimeo', id: '12' } },
      { say: 'text', text: 'https://vimeo.com/12' },
    ],
    [
      'document',
      { id: '1', type: 'embed', content: { url: 'https://a.example/x.pdf' } },
      { say: 'file', as: 'document' },
    ],
    [
      'document behind a question',
      { id: '1', type: 'embed', content: { url: 'https://a.example/x.pdf?v=2' } },
      { say: 'file', as: 'document' },
    ],
    [
      'text in marks of its own',
      { id: '1', type: 'text', content: { type: 'markdown', markdown: 'Olá\n#tag VIP' } },
      { say: 'text', text: 'Olá' },
    ],
    [
      'page',
      { id: '1', type: 'custom-embed', content: { url: 'https://a.example/x' } },
      { say: 'text', text: 'https://a.example/x' },
    ],
  ])('a %s', (_, bubble, saying) => expect(plan({ messages: [bubble] }).sayings).toMatchObject([saying] as never))
  test.each([
    { id: '1', type: 'image', content: { url: 'file:///etc/passwd' } },
    { id: '1', type: 'image', content: { url: 'javascript:alert(1)' } },
    { id: '1', type: 'image', content: {} },
    { id: '1', type: 'video', content: { type: 'constructor', id: 'x' } },
    { id: '1', type: 'novo', content: { url: 'https://a.example' } },
    { id: '1', type: 'text', content: { type: 'richText', richText: [p(b(' '))] } },
    { id: '1', type: 'text' },
  ])('nothing is said of %p', bubble => expect(plan({ messages: [bubble] }).sayings).toEqual([]))

  test('a pause comes after its bubble, ten seconds at most; one that stops the flow goes on by itself', () => {
    const waits = (seconds: number, more: object) => ({ type: 'wait', wait: { secondsToWaitFor: seconds }, ...more })
    const between = plan({
      messages: [text('1', 'a'), text('2', 'b')],
      clientSideActions: [waits(3, { lastBubbleBlockId: '1' })],
      input: choice,
    })
    expect(between.sayings.map(each => each.pauseMs)).toEqual([0, 3000])
    expect(plan({ messages: [text('1', 'a')], clientSideActions: [waits(90, {})] }).sayings[0]?.pauseMs).toBe(10_000)
    const stops = plan({
      messages: [text('1', 'a')],
      clientSideActions: [waits(90, { lastBubbleBlockId: '1', expectsDedicatedReply: true })],
    })
    expect(stops).toMatchObject({ sayings: [{ pauseMs: 0 }], next: { is: 'goesOn', afterMs: 10_000 } })
  })
  test('a text with a pause behind it stands by itself: the menu comes after the pause', () => {
    const wait = { type: 'wait', wait: { secondsToWaitFor: 3 }, lastBubbleBlockId: '1' }
    const { sayings } = plan({ messages: [text('1', 'Pode ser?')], clientSideActions: [wait], input: choice })
    expect(sayings).toMatchObject([
      { say: 'text', text: 'Pode ser?', pauseMs: 0 },
      { say: 'menu', pauseMs: 3000 },
    ])
  })
  test('a redirect is a link, in its place', () => {
    const action = { type: 'redirect', redirect: { url: 'https://a.example/loja' }, lastBubbleBlockId: '1' }
    const { sayings } = plan({ messages: [text('1', 'a'), text('2', 'b')], clientSideActions: [action] })
    expect(sayings).toMatchObject([{ text: 'a' }, { text: 'https://a.example/loja' }, { text: 'b' }])
    expect(plan({ clientSideActions: [{ ...action, redirect: { url: 'javascript:x' } }] }).sayings).toEqual([])
  })
  test.each([
    'scriptToExecute',
    'codeToExecute',
    'httpRequestToExecute',
    'streamOpenAiChatCompletion',
    'listenForWebhook',
    'novo',
  ])('what only a page can do (%s) stops the flow where it waits for that, and is passed over where not', type => {
    expect(plan({ clientSideActions: [{ type, expectsDedicatedReply: true }] }).next).toEqual({
      is: 'stopped',
      why: 'action',
      detail: type,
    })
    expect(plan({ clientSideActions: [{ type }], input: choice }).next).toMatchObject({ is: 'asked' })
  })
  test('an event of a page that is waited for stops the flow', () => {
    const embed = {
      id: '1',
      type: 'custom-embed',
      content: { url: 'https://a.example/x', waitForEvent: { isEnabled: true } },
    }
    expect(plan({ messages: [embed], input: choice })).toMatchObject({
      sayings: [{ say: 'text' }],
      next: { is: 'stopped', why: 'event' },
    })
  })
  test('a payment stops it, after what is said before', () => {
    expect(plan({ messages: [text('1', 'Pague aqui')], input: { id: 'p', type: 'payment input' } })).toMatchObject({
      sayings: [{ text: 'Pague aqui' }],
      next: { is: 'stopped', why: 'input', detail: 'payment input' },
    })
  })
  test('no input is the end; a word for us is it, too, and then nothing is asked', () => {
    expect(plan({ messages: [text('1', 'Tchau')] }).next).toEqual({ is: 'ended' })
    expect(plan({ messages: [text('1', '#humano')], input: choice })).toMatchObject({
      sayings: [],
      next: { is: 'ended' },
    })
    expect(plan({ messages: [text('1', '#tag VIP')], input: choice })).toMatchObject({
      sayings: [{ say: 'menu' }],
      next: { is: 'asked' },
    })
  })
  test('more than a conversation holds is not begun', () => {
    const messages = Array.from({ length: 61 }, (_, n) => text(`${n}`, 'x'))
    expect(plan({ messages, input: choice })).toMatchObject({ sayings: [], next: { is: 'stopped', why: 'tooMuch' } })
  })
})

test.each(['pt', 'en', 'es'])(
  'why a flow is not at work any more is said in %s, whatever the reason',
  async language => {
    const { system } = await Bun.file(`${import.meta.dir}/../../contract/texts/lines/${language}.json`).json()
    for (const [code, words] of Object.entries(lines.system)) {
      if (!code.startsWith('flow')) continue
      expect(system[code]?.includes('{{what}}')).toBe(words.includes('{{what}}'))
    }
  },
)
