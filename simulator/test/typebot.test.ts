// The stand-in for Typebot's viewer does what the real one does, also where that is odd: tests of the desk stand on it.
import { afterAll, describe, expect, test } from 'bun:test'
import { ask, askChoices, createItems, type Flow, sayText, wait } from '../src/typebot/blocks.ts'
import { startTypebot } from '../src/typebot/typebot.ts'

const typebot = startTypebot()
afterAll(() => typebot.stop())

interface Answer {
  readonly status: number
  readonly sessionId?: string
  readonly messages?: readonly {
    readonly content: { readonly richText: readonly { readonly children: readonly { readonly text: string }[] }[] }
  }[]
  readonly input?: { readonly id: string; readonly type: string; readonly items?: readonly { readonly id: string }[] }
  readonly clientSideActions?: readonly object[]
  readonly message?: string
}

async function post(path: string, body: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await fetch(`${typebot.url}/api/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: answer.status, ...(await answer.json()) }
}
async function begin(flow: Flow, body: object = {}): Promise<Answer> {
  typebot.publish('fluxo', flow)
  return post('typebots/fluxo/startChat', body)
}
const goOn = ({ sessionId }: Answer, message?: unknown) => post(`sessions/${sessionId}/continueChat`, { message })
const listTexts = ({ messages = [] }: Answer) =>
  messages.map(({ content }) => content.richText.map(line => line.children.map(({ text }) => text).join('')).join('\n'))

describe('a conversation', () => {
  test('stops at an input and goes on with its answer; a repeated answer answers the next question', async () => {
    const begun = await begin(function* () {
      yield sayText('Nome?')
      const name = yield ask('text input')
      yield sayText(`Olá, ${name}. E-mail?`)
      yield sayText(`${yield ask('email input')}`)
    })
    expect([listTexts(begun), begun.input?.type]).toEqual([['Nome?'], 'text input'])
    expect(listTexts(await goOn(begun, 'Lúcia'))).toEqual(['Olá, Lúcia. E-mail?'])
    const again = await goOn(begun, { type: 'text', text: 'Lúcia' })
    expect([again.status, listTexts(again)]).toEqual([200, ['Invalid message. Please, try again.']])
  })

  test('that begins with a question takes the words it was begun with; another one does not', async () => {
    expect(
      listTexts(
        await begin(
          function* () {
            yield sayText(`eco ${yield ask('text input')}`)
          },
          { message: 'oi' },
        ),
      ),
    ).toEqual(['eco oi'])
    const asks: Flow = function* () {
      yield sayText('Nome?')
      yield ask('text input')
    }
    expect(listTexts(await begin(asks, { message: 'oi' }))).toEqual(['Nome?'])
  })

  test('that is over is forgotten; one that ended as it began is kept, and begins again', async () => {
    const conversation = await begin(function* () {
      yield ask('text input')
    })
    expect(await goOn(conversation, 'oi')).toMatchObject({ status: 200, messages: [] })
    expect(await goOn(conversation, 'oi')).toMatchObject({ status: 404 })
    const ended = await begin(function* () {
      yield sayText('Tchau')
    })
    expect(listTexts(await goOn(ended, 'oi'))).toEqual(['Tchau'])
  })

  test('fills only variables that the bot has', async () => {
    typebot.publish('cheio', {
      variables: ['name'],
      *flow(variables) {
        yield sayText(JSON.stringify(variables))
      },
    })
    const begun = await post('typebots/cheio/startChat', { prefilledVariables: { name: 'Lúcia', other: 1 } })
    expect(listTexts(begun)).toEqual(['{"name":"Lúcia"}'])
  })

  test('waits for a call without words where a pause stops it', async () => {
    const begun = await begin(function* () {
      yield sayText('Um')
      yield wait(2, true)
      yield sayText('Dois')
    })
    expect(begun).toMatchObject({ clientSideActions: [{ type: 'wait', expectsDedicatedReply: true }] })
    expect(listTexts(await goOn(begun))).toEqual(['Dois'])
  })
})

describe('inputs', () => {
  const takes = async (type: string, options: object, answer: unknown, variables?: readonly object[]) => {
    const begun = await begin(function* () {
      yield sayText(`[${yield ask(type, options as never, variables as never)}]`)
    })
    const [text] = listTexts(await goOn(begun, answer))
    return text?.startsWith('[') ? text.slice(1, -1) : null
  }

  test('a choice takes id, text and replyId, and no number; several whole words', async () => {
    const items = createItems(['Um', 'Dois'])
    expect(await takes('choice input', {}, 'Dois', items)).toBe('Dois')
    expect(
      await takes('choice input', {}, { type: 'text', text: 'x', metadata: { replyId: items[1]?.id } }, items),
    ).toBe('Dois')
    expect(await takes('choice input', {}, '2', items)).toBeNull()
    expect(await takes('choice input', { isMultipleChoice: true }, 'Um, 2', items)).toBe('Um, Dois')
    expect(
      (
        await begin(function* () {
          yield askChoices('Um')
        })
      ).input?.items,
    ).toHaveLength(1)
  })

  test.each([
    ['number input', {}, '1.5', '1.5'],
    ['number input', {}, '1,5', null],
    ['date input', {}, '31/12/2027', '31/12/2027'],
    ['date input', {}, 'amanhã', null],
    ['date input', { format: 'MM/dd/yyyy' }, '31/12/2027', null],
    ['time input', {}, '15:30', '15:30'],
    ['phone number input', {}, '+5531998762210', '+5531998762210'],
    ['phone number input', {}, '31998762210', null],
    ['rating input', { length: 5 }, '-3', '-3'],
    [
      'file input',
      {},
      'https://a.example/x.png, https://a.example/y.pdf',
      'https://a.example/x.png, https://a.example/y.pdf',
    ],
    ['file input', {}, 'https://a.example/x', null],
    ['file input', { isRequired: false }, null, ''],
    ['text input', {}, { type: 'audio', url: 'https://a.example/x.ogg' }, null],
    [
      'text input',
      { audioClip: { isEnabled: true } },
      { type: 'audio', url: 'https://a.example/x.ogg' },
      'https://a.example/x.ogg',
    ],
  ])('%s %p: %p', async (type, options, answer, taken) => {
    expect(await takes(type, options, answer)).toBe(taken)
  })
})

describe('what goes wrong', () => {
  test('unknown, closed, suspended, asked by a page that may not', async () => {
    const flow: Flow = function* () {
      yield sayText('Olá')
    }
    expect(await post('typebots/nenhum/startChat')).toMatchObject({ status: 404 })
    typebot.publish('fechado', { flow, state: 'closed' })
    expect(await post('typebots/fechado/startChat')).toMatchObject({ status: 400, message: expect.any(String) })
    typebot.publish('suspenso', { flow, state: 'suspended' })
    expect(await post('typebots/suspenso/startChat')).toMatchObject({ status: 403 })
    typebot.publish('pagina', { flow, origins: ['https://loja.example'] })
    expect(await post('typebots/pagina/startChat', {}, { origin: 'https://outra.example' })).toMatchObject({
      status: 403,
    })
    expect(await post('typebots/pagina/startChat')).toMatchObject({ status: 200 })
  })

  test('an answer that is lost was heard all the same', async () => {
    const begun = await begin(function* () {
      yield sayText('Um')
      yield ask('text input')
      yield sayText('Dois')
      yield ask('text input')
      yield sayText('Três')
    })
    typebot.trouble('lost')
    await expect(goOn(begun, 'a')).rejects.toThrow()
    expect(listTexts(await goOn(begun, 'a'))).toEqual(['Três'])
  })

  test('a block that fails is 500, and sessions that were cleaned up are forgotten', async () => {
    expect(
      await begin(function* () {
        yield sayText('Um')
        throw new Error('block')
      }),
    ).toMatchObject({ status: 500 })
    const begun = await begin(function* () {
      yield ask('text input')
    })
    typebot.forget()
    expect(await goOn(begun, 'oi')).toMatchObject({ status: 404 })
  })
})
