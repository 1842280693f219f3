import { describe, expect, test } from 'bun:test'
import { addTexts, textsOf } from '@balcao/ui/i18n'
import en from '../locales/en.json'
import es from '../locales/es.json'
import pt from '../locales/pt.json'
import { allowed, cleanShortcut, type Fields, formDataOf, problemsOf } from '../src/quick-answers/form.ts'

function filled(part: Partial<Fields> = {}): Fields {
  return { shortcut: 'pix', message: 'Nossa chave Pix', file: null, dropMedia: false, ...part }
}

describe('the form of a quick answer (spec 3 §5)', () => {
  test('shortcut 2 to 25 characters, required', () => {
    expect(problemsOf(filled({ shortcut: '' })).shortcut).toBe('Required')
    expect(problemsOf(filled({ shortcut: 'p' })).shortcut).toBe('Too Short!')
    expect(problemsOf(filled({ shortcut: 'p'.repeat(26) })).shortcut).toBe('Too Long!')
    expect(problemsOf(filled())).toEqual({})
  })

  test('message 8 to 30000 characters, required', () => {
    expect(problemsOf(filled({ message: '' })).message).toBe('Required')
    expect(problemsOf(filled({ message: 'sete...' })).message).toBe('Too Short!')
    expect(problemsOf(filled({ message: 'x'.repeat(30_001) })).message).toBe('Too Long!')
    expect(problemsOf(filled({ message: 'x'.repeat(30_000) }))).toEqual({})
  })

  test('only files of the listed types go along', () => {
    for (const name of [
      'a.jpeg',
      'a.PNG',
      'a.pdf',
      'a.xlsx',
      'a.docx',
      'a.pptx',
      'a.pub',
      'a.doc',
      'a.csv',
      'a.mp4',
      'a.ogg',
    ])
      expect(allowed(name)).toBe(true)
    for (const name of ['a.svg', 'a.html', 'a.exe', 'pdf', 'a.pdf.exe', '']) expect(allowed(name)).toBe(false)
    expect(problemsOf(filled({ file: new File(['<svg/>'], 'logo.svg') })).file).toBe('type')
  })

  test('the slash people type before a shortcut is not part of it', () => {
    expect(cleanShortcut(' /pix ')).toBe('pix')
  })

  test('the body is multipart with shortcut, message and medias', () => {
    const body = formDataOf(filled({ shortcut: '/pix', file: new File(['x'], 'tabela.pdf'), dropMedia: true }))
    expect([...body.keys()].sort()).toEqual(['medias', 'message', 'shortcut'])
    expect(body.get('shortcut')).toBe('pix')
  })

  test('a dropped file is said to the server', () => {
    expect(formDataOf(filled({ dropMedia: true })).get('removeMedia')).toBe('true')
    expect(formDataOf(filled()).has('removeMedia')).toBe(false)
  })

  test('the hint shows the names in braces as they are typed', () => {
    addTexts('automation', { pt, en, es })
    const names = Object.fromEntries(
      ['user', 'queue', 'name', 'number', 'date', 'time'].map(name => [name, `{{${name}}}`]),
    )
    expect(textsOf('automation')('form.messageHint', names)).toBe(
      'Pode usar {{user}}, {{queue}}, {{name}}, {{number}}, {{date}} e {{time}}.',
    )
  })
})
