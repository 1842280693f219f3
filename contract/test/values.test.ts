import { expect, test } from 'bun:test'
import { ERRORS } from '../src/errors.ts'
import { transitionOf } from '../src/lifecycle.ts'
import { formatPhone, phoneVariants, wholeNumber } from '../src/phone.ts'
import { nameProblem, passwordProblem, safeFileName } from '../src/validation.ts'
import { plainText } from '../src/whatsapp-text.ts'
import { openWire, sealWire } from '../src/wire-secret.ts'

test('a Brazilian mobile is known with and without its ninth digit, a landline and a foreign number are not', () => {
  expect(phoneVariants('5531998762210')).toEqual(['5531998762210', '553198762210'])
  expect(phoneVariants('553198762210')).toEqual(['553198762210', '5531998762210'])
  expect(phoneVariants('553132224010')).toEqual(['553132224010'])
  expect(phoneVariants('14155550100')).toEqual(['14155550100'])
  expect(formatPhone('5531998762210')).toBe('+55 31 99876-2210')
})

test.each([
  ['31.98655.4410', '5531986554410'],
  ['31/98655-4410', '5531986554410'],
  ['31\u00a098655\u20134410', '5531986554410'],
  ['(+55) 31 98655-4410', '5531986554410'],
  ['3132224010', '553132224010'],
  ['986554410', '986554410'],
  ['31 98655-4410 (Ana)', null],
  ['31986554410 +55', null],
  ['+55 (0)31 98655-4410', '5531986554410'],
  ['+55(0)31 98655-4410', '5531986554410'],
  ['0055 (0)31 98655-4410', '5531986554410'],
  ['55 ( 0 ) 31 98655-4410', '5531986554410'],
  ['(0)31 98655-4410', '5531986554410'],
  ['+49 (0) 30 123456', '4930123456'],
  // It is a part of the number where it is written so.
  ['+39 06 6982', '39066982'],
])('decisions-2 §22: %p in a sheet is %p', (written, number) => expect(wholeNumber(written)).toBe(number))

test('the legal changes of status are those of the specification', () => {
  expect(transitionOf('pending', 'open')).toBe('accept')
  expect(transitionOf('bot', 'open')).toBe('accept')
  expect(transitionOf('closed', 'open')).toBe('reopen')
  expect(transitionOf('nps', 'closed')).toBe('dismiss')
  expect(transitionOf('pending', 'closed')).toBeNull()
  expect(transitionOf('closed', 'pending')).toBeNull()
  expect(transitionOf('paused', 'closed')).toBeNull()
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
  expect(safeFileName('../../relatório de março.pdf')).toBe('relatorio de marco.pdf')
  expect(safeFileName('foto\u202Egpj.exe')).toBe('fotogpj.exe')
  expect(safeFileName('')).toBe('arquivo')
  expect(safeFileName(`${'a'.repeat(10_000)}.pdf`)).toHaveLength(120)
})

test('no text is cut in the middle of an emoji', () => {
  const smiles = `a${'😀'.repeat(200)}`
  expect(plainText(smiles, 40)).toBe(`a${'😀'.repeat(19)}`)
  expect(plainText(`a ${' '.repeat(80)}😀`, 41)).toBe('a')
  expect(safeFileName(`${smiles}.pdf`)).toBe(`a${'😀'.repeat(57)}.pdf`)
})

test('names and passwords are refused with the texts of the specification', () => {
  expect([' ', 'x', 'xx', 'x'.repeat(256)].map(name => nameProblem(name, [2, 255]))).toEqual([
    'Required',
    'Too Short!',
    null,
    'Too Long!',
  ])
  expect(passwordProblem('curta1!')).toBe('A senha deve ter no mínimo 8 caracteres.')
  expect(passwordProblem('semmaiuscula1!')).toBe('A senha deve ter pelo menos uma letra maiúscula.')
  expect(passwordProblem('Valida-123')).toBeNull()
})

test('the wire format opens with its secret only; plain text is told apart', async () => {
  const sealed = await sealWire('segredo', 'marina@saojose.com.br')
  expect(await openWire('segredo', sealed)).toBe('marina@saojose.com.br')
  expect(await openWire('outro', sealed)).toBeNull()
  expect(await openWire('segredo', 'marina@saojose.com.br')).toBeNull()
})
