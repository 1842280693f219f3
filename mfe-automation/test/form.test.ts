import { describe, expect, test } from 'bun:test'
import { applyFieldRules, quickAnswerRules } from '@balcao/contract'
import { addTexts, getTexts } from '@balcao/ui/i18n'
import en from '../locales/quick-answers/en.json'
import es from '../locales/quick-answers/es.json'
import pt from '../locales/quick-answers/pt.json'
import { PLACEHOLDERS, type QuickAnswerFields, toFormData, validateFields } from '../src/quick-answers/form.ts'
import { makeQuickAnswer } from './answer.ts'

const findFaults = (part: Partial<QuickAnswerFields>) => applyFieldRules(quickAnswerRules, makeFields(part)).faults
const withFile = makeQuickAnswer({ id: 1, shortcut: 'pix', mediaName: 'pix.pdf' })

function makeFields(part: Partial<QuickAnswerFields> = {}): QuickAnswerFields {
  return { shortcut: 'pix', message: 'Nossa chave Pix', scope: 'team', media: null, ...part }
}

describe('the form of a quick answer (spec 3 §5)', () => {
  test('shortcut 2 to 25 characters, required', () => {
    expect(findFaults({ shortcut: '' }).shortcut).toBe('schema.fieldRequired')
    expect(findFaults({ shortcut: 'p' }).shortcut).toBe('field.tooShort')
    expect(findFaults({ shortcut: 'p'.repeat(26) }).shortcut).toBe('field.tooLong')
    expect(findFaults({})).toEqual({})
  })

  test('message 8 to 30000 characters, required', () => {
    expect(findFaults({ message: '' }).message).toBe('schema.fieldRequired')
    expect(findFaults({ message: 'sete...' }).message).toBe('field.tooShort')
    expect(findFaults({ message: 'x'.repeat(30_001) }).message).toBe('field.tooLong')
    expect(findFaults({ message: 'x'.repeat(30_000) })).toEqual({})
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
      expect(validateFields(makeFields({ media: new File(['x'], name) })).media).toBeUndefined()
    for (const name of ['a.svg', 'a.html', 'a.exe', 'pdf', 'a.pdf.exe', ''])
      expect(validateFields(makeFields({ media: new File(['x'], name) })).media).toBe('ERR_FILE_TYPE')
    expect(validateFields(makeFields({ media: 'kept.svg' })).media).toBeUndefined()
  })

  test('the slash people type before a shortcut is not part of it', () => {
    expect(applyFieldRules(quickAnswerRules, makeFields({ shortcut: ' /pix ' })).values.shortcut).toBe('pix')
  })

  test('the body is multipart with shortcut, message, scope and medias', () => {
    const body = toFormData(makeFields({ media: new File(['x'], 'tabela.pdf') }), withFile)
    expect([...body.keys()].sort()).toEqual(['medias', 'message', 'scope', 'shortcut'])
    expect(body.get('shortcut')).toBe('pix')
  })

  test('a dropped file is said to the server', () => {
    expect(toFormData(makeFields(), withFile).get('removeMedia')).toBe('true')
    expect(toFormData(makeFields({ media: 'pix.pdf' }), withFile).has('removeMedia')).toBe(false)
    expect(toFormData(makeFields(), null).has('removeMedia')).toBe(false)
  })

  test('the hint shows the names in braces as they are typed', () => {
    addTexts('quickAnswers', { pt, en, es })
    expect(getTexts('quickAnswers')('form.messageHint', PLACEHOLDERS)).toBe(
      'Pode usar {{user}} (quem atende), {{queue}} (fila), {{name}} (cliente), {{number}} (número dele), {{date}} (data) e {{time}} (hora). O que falta preencher ao enviar vai entre colchetes: [[valor]].',
    )
  })
})
