import { describe, expect, test } from 'bun:test'
import { excerptLine, findSearchMarks } from '@balcao/contract/kit/search'
import {
  formatDuration,
  formatFileSize,
  parseContactCards,
  parseLocation,
  parseTemplateMessage,
  toButtonHref,
} from '@balcao/contract/messages/message-bodies'
import {
  hasMarks,
  type Inline,
  parseBody,
  parseInline,
  toPlainText,
  toSafeHref,
} from '@balcao/contract/messages/whatsapp-text'
import { foldMessageText } from '../src/message/fold.ts'
import { isOnlyEmoji, splitReachable } from '../src/message/reachable.ts'

/** Text as marks again, to read the tree at a glance. */
function renderMarks(parts: readonly Inline[]): string {
  return parts
    .map(part => {
      if (part.kind === 'text') return part.text
      if (part.kind === 'code') return `<code>${part.text}</code>`
      if (part.kind === 'link') return `<a ${part.href}>`
      return `<${part.kind}>${renderMarks(part.children)}</${part.kind}>`
    })
    .join('')
}

describe('formatting', () => {
  test('bold, italic, struck and code as WhatsApp writes them, also one within another', () => {
    expect(renderMarks(parseInline('a *b _c_ d* ~e~ `f*g*`'))).toBe(
      'a <bold>b <italic>c</italic> d</bold> <strike>e</strike> <code>f*g*</code>',
    )
  })

  test('marks that do not touch a word, or stand inside one, stay as they are', () => {
    for (const text of ['2 * 3 * 4', 'a*b*c', 'snake_case_name', '* a*', '**', '_'])
      expect(renderMarks(parseInline(text))).toBe(text)
  })

  test('lines, quotes, lists and blocks of code', () => {
    const kinds = parseBody('oi\n> citado\n- um\n1. dois\n```\nx = *1*\n```').map(block => block.kind)
    expect(kinds).toEqual(['line', 'quote', 'bullet', 'number', 'code'])
  })

  test('an unclosed mark eats nothing', () => {
    expect(renderMarks(parseInline('*aberto'))).toBe('*aberto')
    expect(parseBody('```aberto')).toHaveLength(1)
  })

  test('of two marks that could close the first does, also where others began between them', () => {
    expect(renderMarks(parseInline('*a _b* c_ *d*'))).toBe('<bold>a _b</bold> c_ <bold>d</bold>')
    expect(renderMarks(parseInline('*a *b* c*'))).toBe('<bold>a *b</bold> c*')
    expect(renderMarks(parseInline('~*a*b~ `c'))).toBe('<strike>*a*b</strike> `c')
  })
})

describe('links', () => {
  test('an address becomes a link as a whole, without the full stop behind it', () => {
    expect(renderMarks(parseInline('veja https://a.com/x_y_z.'))).toBe('veja <a https://a.com/x_y_z>.')
    expect(renderMarks(parseInline('www.balcao.com.br/a'))).toBe('<a https://www.balcao.com.br/a>')
  })

  test('only http and https become links', () => {
    for (const text of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd'])
      expect(renderMarks(parseInline(text))).toBe(text)
    expect(toSafeHref('javascript:alert(1)')).toBeNull()
  })

  test('markup stays text', () => {
    const text = '<script>alert(1)</script> <img src=x onerror=alert(1)>'
    expect(renderMarks(parseInline(text))).toBe(text)
  })
})

test('a preview has no marks', () => {
  expect(toPlainText('*Oi*, veja a _tabela_\nnova')).toBe('Oi, veja a tabela nova')
})

// Marks that never close, that all close at the end, that stand within one another, addresses without an end, empty lines.
const HOSTILE = [
  '*a ',
  '_*~`a ',
  '*a',
  '*_~a',
  'http://',
  'www.',
  'h w ',
  '*a*',
  '```',
  '> *a\n',
  '1. _\n',
  '\n',
  '{{ ',
  '1',
  '(1 ',
  'a.',
  'a@',
  '👍',
]

describe('no text takes more than its length', () => {
  const words = ['a', 'http']
  const works: Record<string, (text: string) => unknown> = {
    'the body': parseBody,
    'a row': parseInline,
    'a quote': text => toPlainText(text),
    'the composer': hasMarks,
    'the fold': text => foldMessageText(text, 2000),
    'a hit': text => excerptLine(text, words),
    'marks of a search': text => findSearchMarks(text, words),
    'numbers and addresses': splitReachable,
    'only emoji': isOnlyEmoji,
  }
  for (const [name, work] of Object.entries(works))
    test(`${name}: sixteen times the text is about sixteen times the work`, () => {
      for (const piece of HOSTILE) {
        const short = piece.repeat(4096 / piece.length)
        const long = short.repeat(16)
        // The same length in one piece and in sixteen: what is a square takes sixteen times as long, and a quarter of that is no noise.
        expect({
          piece,
          ratio: measureRatio(
            () => work(long),
            () => {
              for (let piece = 0; piece < 16; piece++) work(short)
            },
            4,
          ),
        }).toEqual({ piece, ratio: 0 })
      }
    })
})

/** How much more processor time the cheapest run of the one takes than that of the other; 0 as soon as it is at most `most`. What else the machine does only adds to a run, and to runs that take as long alike. */
function measureRatio(long: () => unknown, pieces: () => unknown, most: number): number {
  let [whole, apart] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const end = performance.now() + 2000
  for (let round = 0; round < 30 || performance.now() < end; round++) {
    apart = Math.min(apart, Math.max(0.1, measureMs(pieces)))
    whole = Math.min(whole, measureMs(long))
    if (round > 0 && whole / apart <= most) return 0
  }
  return whole / apart
}

function measureMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

describe('folding', () => {
  test('a long text is cut between words, a short one and a few letters more are not', () => {
    expect(foldMessageText('oi, tudo bem?', 2000)).toBe('oi, tudo bem?')
    expect(foldMessageText('a'.repeat(2100), 2000)).toHaveLength(2100)
    expect(foldMessageText('palavra '.repeat(1000), 2000)).toBe(`${'palavra '.repeat(250).trim()}`)
  })

  test('a column of short lines is folded too', () => {
    expect(foldMessageText('a\n'.repeat(1000), 2000).split('\n')).toHaveLength(40)
  })

  test('a sign of two halves is not cut in two', () => {
    expect(foldMessageText(`a${'😀'.repeat(2000)}`, 2000).endsWith('😀')).toBe(true)
  })
})

describe('bodies that are data', () => {
  test('a location is image, link and description between bars', () => {
    expect(parseLocation('data:image/png;base64,AAAA|https://maps.google.com/?q=1,2|Rua das Acácias, 81')).toEqual({
      image: 'data:image/png;base64,AAAA',
      link: 'https://maps.google.com/?q=1,2',
      description: 'Rua das Acácias, 81',
    })
    expect(parseLocation('javascript:x|javascript:alert(1)')).toEqual({ image: null, link: null, description: '' })
  })

  test("a contact card holds a name and a number after 'waid='", () => {
    const card = 'BEGIN:VCARD\nVERSION:3.0\nFN:Seu Bento\nTEL;type=CELL;waid=5531988881111:+55 31 98888-1111\nEND:VCARD'
    expect(parseContactCards(card)).toEqual([{ name: 'Seu Bento', number: '5531988881111', written: '+5531988881111' }])
    expect(parseContactCards(`${card}\n${card.replace('Bento', 'Zé')}`)).toHaveLength(2)
    expect(parseContactCards('nada disso')).toEqual([{ name: '', number: null, written: null }])
  })

  test('a template shows header, body, footer and buttons, and survives data it does not know', () => {
    const components = [
      { type: 'HEADER', text: 'Pedido' },
      { type: 'BODY', text: 'Sai hoje' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'URL', text: 'Ver', url: 'javascript:x' },
          { text: 'Ligar', phone_number: '+55 31' },
        ],
      },
    ]
    const { card: template } = parseTemplateMessage({ id: 1, components }, '')
    expect(template.header).toBe('Pedido')
    expect(template.buttons).toEqual([
      { text: 'Ver', link: 'javascript:x' },
      { text: 'Ligar', link: 'tel:+55 31' },
    ])
    expect(template.buttons.map(button => toButtonHref(button.link ?? ''))).toEqual([null, 'tel:+5531'])
    expect(parseTemplateMessage('lixo', 'corpo').card.text).toBe('corpo')
  })
})

test('sizes and lengths as people read them', () => {
  expect(formatFileSize(84_000)).toBe('82 KB')
  expect(formatFileSize(3_984_588)).toBe('3,8 MB')
  expect(formatDuration(21.4)).toBe('0:21')
  expect(formatDuration(725)).toBe('12:05')
})
