import { describe, expect, test } from 'bun:test'
import { cardsOf, clock, fileSize, placeOf, templateOf } from '../src/message/bodies.ts'
import { type Inline, parseBody, parseInline, plainText, safeHref } from '../src/message/whatsapp-text.ts'

/** Text as marks again, to read the tree at a glance. */
function shown(parts: readonly Inline[]): string {
  return parts
    .map(part => {
      if (part.kind === 'text') return part.text
      if (part.kind === 'code') return `<code>${part.text}</code>`
      if (part.kind === 'link') return `<a ${part.href}>`
      return `<${part.kind}>${shown(part.children)}</${part.kind}>`
    })
    .join('')
}

describe('formatting', () => {
  test('bold, italic, struck and code as WhatsApp writes them, also one within another', () => {
    expect(shown(parseInline('a *b _c_ d* ~e~ `f*g*`'))).toBe(
      'a <bold>b <italic>c</italic> d</bold> <strike>e</strike> <code>f*g*</code>',
    )
  })

  test('marks that do not touch a word, or stand inside one, stay as they are', () => {
    for (const text of ['2 * 3 * 4', 'a*b*c', 'snake_case_name', '* a*', '**', '_'])
      expect(shown(parseInline(text))).toBe(text)
  })

  test('lines, quotes, lists and blocks of code', () => {
    const kinds = parseBody('oi\n> citado\n- um\n1. dois\n```\nx = *1*\n```').map(block => block.kind)
    expect(kinds).toEqual(['line', 'quote', 'bullet', 'number', 'code'])
  })

  test('an unclosed mark eats nothing', () => {
    expect(shown(parseInline('*aberto'))).toBe('*aberto')
    expect(parseBody('```aberto')).toHaveLength(1)
  })

  test('a very long text of marks is parsed in reasonable time', () => {
    const started = performance.now()
    parseInline('*a '.repeat(2000))
    expect(performance.now() - started).toBeLessThan(2000)
  })
})

describe('links', () => {
  test('an address becomes a link as a whole, without the full stop behind it', () => {
    expect(shown(parseInline('veja https://a.com/x_y_z.'))).toBe('veja <a https://a.com/x_y_z>.')
    expect(shown(parseInline('www.balcao.com.br/a'))).toBe('<a https://www.balcao.com.br/a>')
  })

  test('only http and https become links', () => {
    for (const text of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd'])
      expect(shown(parseInline(text))).toBe(text)
    expect(safeHref('javascript:alert(1)')).toBeNull()
  })

  test('markup stays text', () => {
    const text = '<script>alert(1)</script> <img src=x onerror=alert(1)>'
    expect(shown(parseInline(text))).toBe(text)
  })
})

test('a preview has no marks', () => {
  expect(plainText('*Oi*, veja a _tabela_\nnova')).toBe('Oi, veja a tabela nova')
})

describe('bodies that are data', () => {
  test('a location is image, link and description between bars', () => {
    expect(placeOf('data:image/png;base64,AAAA|https://maps.google.com/?q=1,2|Rua das Acácias, 81')).toEqual({
      image: 'data:image/png;base64,AAAA',
      link: 'https://maps.google.com/?q=1,2',
      description: 'Rua das Acácias, 81',
    })
    expect(placeOf('javascript:x|javascript:alert(1)')).toEqual({ image: null, link: null, description: '' })
  })

  test("a contact card holds a name and a number after 'waid='", () => {
    const card = 'BEGIN:VCARD\nVERSION:3.0\nFN:Seu Bento\nTEL;type=CELL;waid=5531988881111:+55 31 98888-1111\nEND:VCARD'
    expect(cardsOf(card)).toEqual([{ name: 'Seu Bento', number: '5531988881111' }])
    expect(cardsOf(`${card}\n${card.replace('Bento', 'Zé')}`)).toHaveLength(2)
    expect(cardsOf('nada disso')).toEqual([{ name: '', number: null }])
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
    const template = templateOf({ id: 1, components }, '')
    expect(template.header).toBe('Pedido')
    expect(template.buttons).toEqual([
      { text: 'Ver', href: null },
      { text: 'Ligar', href: 'tel:+5531' },
    ])
    expect(templateOf('lixo', 'corpo').body).toBe('corpo')
  })
})

test('sizes and lengths as people read them', () => {
  expect(fileSize(84_000)).toBe('82 KB')
  expect(fileSize(3_984_588)).toBe('3,8 MB')
  expect(clock(21.4)).toBe('0:21')
  expect(clock(725)).toBe('12:05')
})
