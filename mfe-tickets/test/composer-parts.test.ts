// The composer's rules without a browser (spec 1 §5 "Composer").
import { describe, expect, test } from 'bun:test'
import type { MessageTemplate } from '@balcao/contract'
import { hasMarks } from '@balcao/contract/messages/whatsapp-text'
import {
  extractTemplateParameters,
  fillTemplate,
  findUnsupportedPart,
  getHeaderFileKind,
  toChosenTemplate,
} from '@balcao/contract/templates/template-form'
import { isTooSmall, toAttachment } from '../src/composer/attachments.ts'
import { type Emoji, findEmojis } from '../src/composer/emoji-data.ts'
import { type Mark, type Replacement, toggleLineMark, toggleMark } from '../src/composer/formatting.ts'
import { toWaveform, WAVE } from '../src/composer/recorder.ts'
import {
  appendFiles,
  createEmptySheet,
  getSheetText,
  hasCommentOnFile,
  moveFile,
  removeFile,
  setSheetText,
} from '../src/composer/sheet.ts'
import { computeMinutesLeft, isWindowOpen } from '../src/composer/window.ts'
import { findWordBefore, toWordValues } from '../src/composer/wording.ts'
import { makeTicket, toMinute } from './make.ts'

describe('spec 1 §5: formatting as WhatsApp writes it', () => {
  test('a mark goes around what is selected, touching its words, and away again', () => {
    expect(applyMark('oi Ana, bom dia', 'Ana', '*')).toBe('oi *[Ana]*, bom dia')
    expect(applyMark('oi Ana , bom', 'Ana ', '_')).toBe('oi _[Ana]_ , bom')
    expect(applyMark('oi *Ana*', 'Ana', '*')).toBe('oi [Ana]')
    expect(applyMark('oi *Ana*', '*Ana*', '*')).toBe('oi [Ana]')
  })

  test('without a selection both marks stand there with the caret between', () => {
    expect(applyMark('oi ', '', '~')).toBe('oi ~[]~')
  })

  test('each line is marked by itself: marks do not reach over lines', () => {
    expect(applyMark('um\ndois', 'um\ndois', '*')).toBe('[*um*\n*dois*]')
  })

  test('lines become a list, a numbered one, a quote, and plain again', () => {
    const text = 'arroz\nfeijão'
    const apply = (input: string, mark: '> ' | '- ' | '1. ') =>
      applyReplacement(input, toggleLineMark(input, 0, input.length, mark))
    expect(apply(text, '- ')).toBe('- arroz\n- feijão')
    expect(apply(text, '1. ')).toBe('1. arroz\n2. feijão')
    expect(apply('- arroz\n- feijão', '- ')).toBe(text)
    expect(apply(text, '> ')).toBe('> arroz\n> feijão')
  })

  test('a preview is needed only where the looks differ from the letters', () => {
    expect(['*oi*', '> oi', '- um', '`x`'].map(hasMarks)).toEqual([true, true, true, true])
    expect(['oi', '2 * 3', 'a_b', 'https://a.b/c_d_e'].map(hasMarks)).toEqual([false, false, false, false])
  })
})

describe('spec 1 §5: words in double braces', () => {
  test('are offered while one is being written', () => {
    expect(findWordBefore('Oi {{na', 7)).toBe('na')
    expect(findWordBefore('Oi {{', 5)).toBe('')
    expect(findWordBefore('Oi {{name}} tudo', 16)).toBeNull()
  })

  test('show what each stands for now', () => {
    const greetings = { morning: 'Bom dia', afternoon: 'Boa tarde', night: 'Boa noite' }
    const words = { name: 'Ana', number: '55', queue: 'F', user: 'M', date: 'd', time: 't', hour: 14, greetings }
    expect(toWordValues(words)).toMatchObject({ name: 'Ana', ms: 'Boa tarde' })
  })
})

describe('spec 1 §4, §5: file preview', () => {
  const photo = () => toAttachment(new File(['x'], 'foto.png', { type: 'image/png' }))
  const sound = () => toAttachment(new File(['x'], 'som.mp3', { type: 'audio/mpeg' }))

  test('what was written becomes the caption of the first file that takes one', () => {
    const [a, b] = [sound(), photo()]
    const sheet = appendFiles(createEmptySheet('olha só'), [a, b])
    expect(sheet.files.map(file => file.caption)).toEqual(['', 'olha só'])
    expect([sheet.chosen, getSheetText(sheet), sheet.text]).toEqual([b.id, 'olha só', ''])
  })

  test('each file has its own caption; a sound has none, its words go before it', () => {
    const [a, b, c] = [photo(), photo(), sound()]
    let sheet = setSheetText(appendFiles(createEmptySheet(), [a, b, c]), 'frente')
    sheet = setSheetText({ ...sheet, chosen: b.id }, 'verso')
    sheet = setSheetText({ ...sheet, chosen: c.id }, 'escuta')
    expect([sheet.files.map(file => file.caption), sheet.text]).toEqual([['frente', 'verso', ''], 'escuta'])
  })

  test('files change places and nothing falls off the ends', () => {
    const [a, b] = [photo(), photo()]
    const sheet = appendFiles(createEmptySheet(), [a, b])
    expect(moveFile(sheet, b.id, -1).files).toEqual([b, a])
    expect(moveFile(sheet, b.id, 1)).toBe(sheet)
  })

  test('the words of the last file taken out stay in the field', () => {
    const a = photo()
    const sheet = setSheetText(appendFiles(createEmptySheet(), [a]), 'olha')
    expect(removeFile(sheet, a.id)).toEqual(createEmptySheet('olha'))
  })

  test('a comment hangs on no file: it would reach the customer', () => {
    const sheet = appendFiles(createEmptySheet(), [photo()])
    expect([hasCommentOnFile(sheet), hasCommentOnFile(setSheetText(sheet, '-- só nós'))]).toEqual([false, true])
    expect(hasCommentOnFile(createEmptySheet('-- só nós'))).toBe(false)
  })
})

describe('spec 1 §5: recorded audio', () => {
  test('under 10000 bytes is discarded', () => {
    expect([isTooSmall({ size: 9999 }, true), isTooSmall({ size: 10_000 }, true)]).toEqual([true, false])
  })

  test('has a shape of 64 values, the loudest 100', () => {
    const wave = toWaveform([...Array(100).fill(0.1), ...Array(100).fill(0.5)])
    expect([wave.length, wave[0], wave.at(-1)]).toEqual([WAVE, 20, 100])
    expect(toWaveform([]).every(value => value === 0)).toBe(true)
    expect(toWaveform([0.5]).length).toBe(WAVE)
  })
})

test('spec 1 §2: emojis are found by words of their names, without accents and case', () => {
  const all: Emoji[] = [
    { emoji: '👍', name: 'polegar para cima', found: 'polegar para cima joinha', group: 1 },
    { emoji: '❤️', name: 'coração', found: 'coracao amor', group: 0 },
  ]
  const found = (search: string) => findEmojis(all, search).map(({ emoji }) => emoji)
  expect([found('CORAÇ'), found('pol cima'), found('egar'), found('')]).toEqual([['❤️'], ['👍'], [], ['👍', '❤️']])
})

describe('decisions §7: the 24 hours of the official API', () => {
  const now = new Date(toMinute(0))
  const cloud = { ...makeTicket().whatsapp, api: 'cloud_api' as const }

  test('are counted down, and closed where the customer has not written', () => {
    expect(computeMinutesLeft({ whatsapp: cloud, windowUntil: toMinute(90) }, now)).toBe(90)
    expect(isWindowOpen({ whatsapp: cloud, windowUntil: toMinute(-1) }, now)).toBe(false)
    expect(isWindowOpen({ whatsapp: cloud, windowUntil: null }, now)).toBe(false)
  })

  test('are no matter to the other kinds', () => {
    expect(computeMinutesLeft(makeTicket(), now)).toBeNull()
    expect(isWindowOpen(makeTicket(), now)).toBe(true)
  })
})

describe('spec 1 §3: message templates', () => {
  const boleto: MessageTemplate = {
    id: '1',
    name: 'boleto',
    category: 'UTILITY',
    status: 'APPROVED',
    language: 'pt_BR',
    parameterFormat: 'POSITIONAL',
    components: [
      { type: 'HEADER', format: 'DOCUMENT' },
      { type: 'BODY', text: 'Oi, {{1}}. Vence em {{2}}.', example: { body_text: [['Ana', '10/12']] } },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'URL', text: 'Ver', url: 'https://a.b/{{1}}' },
          { type: 'QUICK_REPLY', text: 'Ok' },
        ],
      },
    ],
  }
  const values = new Map([
    ['body.1', 'Ana'],
    ['body.2', 'sexta'],
    ['button.0.1', 'n 7'],
  ])

  test('ask for what they lack, with the examples given', () => {
    expect(extractTemplateParameters(boleto).map(hole => [hole.key, hole.example])).toEqual([
      ['body.1', 'Ana'],
      ['body.2', '10/12'],
      ['button.0.1', ''],
    ])
    expect(getHeaderFileKind(boleto)).toBe('document')
  })

  test('are shown as they will be read, braces where something is missing', () => {
    expect(fillTemplate(boleto, new Map([['body.1', 'Ana']]))[1]).toMatchObject({ text: 'Oi, Ana. Vence em {{2}}.' })
  })

  test("go out in Meta's form", () => {
    expect(toChosenTemplate(boleto, values, 'upload-1').parameters).toEqual([
      { type: 'header', parameters: [{ type: 'document', document: { uploadId: 'upload-1' } }] },
      {
        type: 'body',
        parameters: [
          { type: 'text', text: 'Ana' },
          { type: 'text', text: 'sexta' },
        ],
      },
      { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'n 7' }] },
    ])
  })

  test('a button that copies asks for what it copies', () => {
    const buttons = [{ type: 'COPY_CODE', text: 'Copiar cupom', example: ['DESCONTO10'] }]
    const coupon: MessageTemplate = { ...boleto, components: [{ type: 'BUTTONS', buttons }] }
    expect(extractTemplateParameters(coupon).map(({ key, example }) => [key, example])).toEqual([
      ['button.0.#', 'DESCONTO10'],
    ])
    expect(toChosenTemplate(coupon, new Map([['button.0.#', ' NATAL ']]), null).parameters).toEqual([
      {
        type: 'button',
        sub_type: 'copy_code',
        index: '0',
        parameters: [{ type: 'coupon_code', coupon_code: 'NATAL' }],
      },
    ])
  })

  test('what nobody can fill in here is named with its reason', () => {
    const withParts = (components: unknown[]) => findUnsupportedPart({ ...boleto, components })
    expect(findUnsupportedPart(boleto)).toBeNull()
    expect(withParts([{ type: 'HEADER', format: 'LOCATION' }])).toBe('location')
    expect(withParts([{ type: 'HEADER', format: 'product' }])).toBe('catalog')
    expect(withParts([{ type: 'carousel', cards: [] }])).toBe('carousel')
    expect(withParts([{ type: 'LIMITED_TIME_OFFER' }])).toBe('offer')
    for (const type of ['MPM', 'SPM', 'CATALOG'])
      expect(withParts([{ type: 'BUTTONS', buttons: [{ type }] }])).toBe('catalog')
    expect(withParts([{ type: 'BUTTONS', buttons: [{ type: 'OTP' }] }])).toBe('login')
    expect(withParts([{ type: 'BUTTONS', buttons: [{ type: 'FLOW' }, { type: 'COPY_CODE' }] }])).toBeNull()
  })

  test('with named words tell their names', () => {
    const named: MessageTemplate = {
      ...boleto,
      parameterFormat: 'NAMED',
      components: [{ type: 'BODY', text: 'Oi, {{nome}}' }],
    }
    expect(toChosenTemplate(named, new Map([['body.nome', 'Ana']]), null).parameters).toEqual([
      { type: 'body', parameters: [{ type: 'text', text: 'Ana', parameter_name: 'nome' }] },
    ])
  })
})

/** The text after marking a part of it, with the selection in brackets. */
function applyMark(text: string, part: string, mark: Mark): string {
  const from = part === '' ? text.length : text.indexOf(part)
  const how = toggleMark(text, from, from + part.length, mark)
  const after = applyReplacement(text, how)
  return `${after.slice(0, how.start)}[${after.slice(how.start, how.end)}]${after.slice(how.end)}`
}

function applyReplacement(text: string, { from, to, piece }: Replacement): string {
  return text.slice(0, from) + piece + text.slice(to)
}
