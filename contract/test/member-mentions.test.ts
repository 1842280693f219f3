import { expect, test } from 'bun:test'
import { nameMember, writeMemberMentions } from '../src/messages/member-mentions.ts'

const rui = { id: '159@lid', name: 'Rui' }
const ruiPrado = { id: '5531988880002:4@s.whatsapp.net', name: 'Rui Prado' }

test('a text names members by the digits of their addresses, the longer name where two fit', () => {
  expect(writeMemberMentions('@Rui Prado e @Rui, e o Rui', [rui, ruiPrado])).toEqual({
    body: '@5531988880002 e @159, e o Rui',
    mentions: ['5531988880002:4@s.whatsapp.net', '159@lid'],
  })
})

test('of two members with one name each is meant where it was chosen', () => {
  const other = { id: '160@lid', name: 'Rui' }
  expect(writeMemberMentions('@Rui @Rui @Rui', [rui, other])).toEqual({
    body: '@159 @160 @160',
    mentions: ['159@lid', '160@lid'],
  })
})

test('who was chosen and taken out again is not named', () => {
  expect(writeMemberMentions('até amanhã', [rui])).toEqual({ body: 'até amanhã', mentions: [] })
})

test('a member is called by name, else by number, never by a hidden id, and turns no text around', () => {
  expect(nameMember({ name: ' Rui\u202E\nPrado', number: null }, 'participante')).toBe('Rui Prado')
  expect(nameMember({ name: '5531988880002', number: '5531988880002' }, 'participante')).toBe('+55 31 98888-0002')
  expect(nameMember({ name: '', number: null }, 'participante')).toBe('participante')
})
