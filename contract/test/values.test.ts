import { expect, test } from 'bun:test'
import { formatPhone, listPhoneVariants } from '../src/contacts/phone.ts'
import { ERRORS } from '../src/errors.ts'
import { cleanFileName, toSafeFileName, validateName, validatePassword } from '../src/kit/validation.ts'
import { toPlainText } from '../src/messages/whatsapp-text.ts'
import { openWire, sealWire } from '../src/sessions/wire-secret.ts'
import { findTransition } from '../src/tickets/lifecycle.ts'

test('a Brazilian mobile is known with and without its ninth digit, a landline and a foreign number are not', () => {
  expect(listPhoneVariants('5531998762210')).toEqual(['5531998762210', '553198762210'])
  expect(listPhoneVariants('553198762210')).toEqual(['553198762210', '5531998762210'])
  expect(listPhoneVariants('553132224010')).toEqual(['553132224010'])
  expect(listPhoneVariants('14155550100')).toEqual(['14155550100'])
  expect(formatPhone('5531998762210')).toBe('+55 31 99876-2210')
})

test('a Mexican and an Argentine number are known with and without the sign that only some write', () => {
  expect(listPhoneVariants('525512345678')).toEqual(['525512345678', '5215512345678'])
  expect(listPhoneVariants('5215512345678')).toEqual(['5215512345678', '525512345678'])
  expect(listPhoneVariants('541131234567')).toEqual(['541131234567', '5491131234567'])
  expect(listPhoneVariants('5491131234567')).toEqual(['5491131234567', '541131234567'])
  // Whatever is given, all spellings of one are the spellings of the other.
  for (const number of ['5531998762210', '525512345678', '541131234567'])
    for (const other of listPhoneVariants(number))
      expect(listPhoneVariants(other).sort()).toEqual(listPhoneVariants(number).sort())
})

test('the legal changes of status are those of the specification', () => {
  expect(findTransition('pending', 'open')).toBe('accept')
  expect(findTransition('bot', 'open')).toBe('accept')
  expect(findTransition('closed', 'open')).toBe('reopen')
  expect(findTransition('nps', 'closed')).toBe('dismiss')
  expect(findTransition('pending', 'closed')).toBeNull()
  expect(findTransition('closed', 'pending')).toBeNull()
  expect(findTransition('paused', 'closed')).toBeNull()
})

test('spec 1 §8: the catalogue has every code of the specification', () => {
  const ofTheSpecification = [
    'ERR_NO_OTHER_WHATSAPP',
    'ERR_NO_DEF_WAPP_FOUND',
    'ERR_WAPP_NOT_INITIALIZED',
    'ERR_WAPP_CHECK_CONTACT',
    'ERR_WAPP_INVALID_CONTACT',
    'ERR_WAPP_DOWNLOAD_MEDIA',
    'ERR_WAPP_DOWNLOAD_MEDIA_DENIED',
    'ERR_INVALID_CREDENTIALS',
    'ERR_INVALID_WORKING_TIME',
    'ERR_USER_NO_ACTIVE',
    'ERR_SENDING_WAPP_MSG',
    'ERR_DELETE_WAPP_MSG',
    'ERR_OTHER_OPEN_TICKET',
    'ERR_SESSION_EXPIRED',
    'ERR_USER_CREATION_DISABLED',
    'ERR_NO_PERMISSION',
    'ERR_DUPLICATED_CONTACT',
    'ERR_NO_SETTING_FOUND',
    'ERR_NO_CONTACT_FOUND',
    'ERR_NO_TICKET_FOUND',
    'ERR_NO_USER_FOUND',
    'ERR_NO_WAPP_FOUND',
    'ERR_CREATING_MESSAGE',
    'ERR_CREATING_TICKET',
    'ERR_FETCH_WAPP_MSG',
    'ERR_QUEUE_COLOR_ALREADY_EXISTS',
    'ERR_WAPP_GREETING_REQUIRED',
  ]
  expect(Object.keys(ERRORS)).toEqual(expect.arrayContaining(ofTheSpecification))
})

test('a file name keeps its ending and loses accents, paths, control and direction-changing characters', () => {
  expect(toSafeFileName('../../relatório de março.pdf')).toBe('relatorio de marco.pdf')
  expect(toSafeFileName('foto\u202Egpj.exe')).toBe('fotogpj.exe')
  expect(toSafeFileName('')).toBe('arquivo')
  expect(cleanFileName('../Orçamento de março\u202E.pdf')).toBe('Orçamento de março.pdf')
  expect(cleanFileName('Relato\u0301rio.pdf'.normalize('NFD'))).toBe('Relatório.pdf')
  expect(toSafeFileName(`${'a'.repeat(10_000)}.pdf`)).toHaveLength(120)
})

test('no text is cut in the middle of an emoji', () => {
  const smiles = `a${'😀'.repeat(200)}`
  expect(toPlainText(smiles, 40)).toBe(`a${'😀'.repeat(19)}`)
  expect(toPlainText(`a ${' '.repeat(80)}😀`, 41)).toBe('a')
  expect(toSafeFileName(`${smiles}.pdf`)).toBe(`a${'😀'.repeat(57)}.pdf`)
})

test('names and passwords are refused with the texts of the specification', () => {
  expect([' ', 'x', 'xx', 'x'.repeat(256)].map(name => validateName(name, [2, 255]))).toEqual([
    'schema.fieldRequired',
    'field.tooShort',
    null,
    'field.tooLong',
  ])
  expect(validatePassword('curta1!')).toBe('password.length')
  expect(validatePassword('semmaiuscula1!')).toBe('password.upper')
  expect(validatePassword('Valida-123')).toBeNull()
})

test('the wire format opens with its secret only; plain text is told apart', async () => {
  const sealed = await sealWire('segredo', 'marina@saojose.com.br')
  expect(await openWire('segredo', sealed)).toBe('marina@saojose.com.br')
  expect(await openWire('outro', sealed)).toBeNull()
  expect(await openWire('segredo', 'marina@saojose.com.br')).toBeNull()
})
