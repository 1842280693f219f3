import { describe, expect, test } from 'bun:test'
import { type ContactForm, validateContact } from '../src/contacts/rules.ts'

function listCodes(form: ContactForm): string[] {
  return validateContact(form).map(({ path, code }) => `${path} ${code}`)
}

describe('spec 3 §5: contact', () => {
  test('a name is required and has 2 to 50 characters', () => {
    expect(listCodes({ name: ' ' })).toEqual(['name nameRequired'])
    expect(listCodes({ name: 'A' })).toEqual(['name nameLength'])
    expect(listCodes({ name: 'a'.repeat(51) })).toEqual(['name nameLength'])
    expect(listCodes({ name: 'Zé' })).toEqual([])
  })

  test('a number has 8 to 50 digits, however it is written', () => {
    expect(listCodes({ number: '' })).toEqual(['number numberRequired'])
    expect(listCodes({ number: '123-4567' })).toEqual(['number numberLength'])
    expect(listCodes({ number: '+55 (31) 99876-2210' })).toEqual([])
  })

  test('an e-mail is valid or left out', () => {
    expect(listCodes({ email: '' })).toEqual([])
    expect(listCodes({ email: 'lucia@email.com.br' })).toEqual([])
    for (const email of ['lucia', 'lucia@', '@email.com', 'lu cia@email.com', 'lucia@email'])
      expect(listCodes({ email })).toEqual(['email email'])
  })

  test('no two redirects for the same queue, none without queue and user', () => {
    expect(
      listCodes({
        redirect: [
          { queueId: 1, userId: 2 },
          { queueId: 1, userId: 3 },
        ],
      }),
    ).toEqual(['redirect/1 redirectTwice'])
    expect(listCodes({ redirect: [{ queueId: 1, userId: null }] })).toEqual(['redirect/0 redirectIncomplete'])
  })

  test('what is not given is not looked at', () => {
    expect(listCodes({})).toEqual([])
  })
})
