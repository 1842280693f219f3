import { describe, expect, test } from 'bun:test'
import { type ContactForm, contactFaults } from '../src/contact-rules.ts'

function codes(form: ContactForm): string[] {
  return contactFaults(form).map(({ path, code }) => `${path} ${code}`)
}

describe('spec 3 §5: contact', () => {
  test('a name is required and has 2 to 50 characters', () => {
    expect(codes({ name: ' ' })).toEqual(['name nameRequired'])
    expect(codes({ name: 'A' })).toEqual(['name nameLength'])
    expect(codes({ name: 'a'.repeat(51) })).toEqual(['name nameLength'])
    expect(codes({ name: 'Zé' })).toEqual([])
  })

  test('a number has 8 to 50 digits, however it is written', () => {
    expect(codes({ number: '' })).toEqual(['number numberRequired'])
    expect(codes({ number: '123-4567' })).toEqual(['number numberLength'])
    expect(codes({ number: '+55 (31) 99876-2210' })).toEqual([])
  })

  test('an e-mail is valid or left out', () => {
    expect(codes({ email: '' })).toEqual([])
    expect(codes({ email: 'lucia@email.com.br' })).toEqual([])
    for (const email of ['lucia', 'lucia@', '@email.com', 'lu cia@email.com', 'lucia@email'])
      expect(codes({ email })).toEqual(['email email'])
  })

  test('no two redirects for the same queue, none without queue and user', () => {
    expect(
      codes({
        redirect: [
          { queueId: 1, userId: 2 },
          { queueId: 1, userId: 3 },
        ],
      }),
    ).toEqual(['redirect/1 redirectTwice'])
    expect(codes({ redirect: [{ queueId: 1, userId: null }] })).toEqual(['redirect/0 redirectIncomplete'])
  })

  test('what is not given is not looked at', () => {
    expect(codes({})).toEqual([])
  })
})
