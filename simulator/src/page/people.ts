// The people of the demo and how new ones are made up.
import type { PhoneHub } from './hub.ts'
import type { CompanyOptions, PersonOptions } from './phones.ts'

/** Customers everybody meets in the demo; the first two stand beside the company's phone. */
export const CUSTOMERS: PersonOptions[] = [
  { name: 'Dona Lúcia', number: '+55 31 99876-2210', onWhatsAppAs: '553198762210' },
  { name: 'Padaria Estrela', number: '+55 31 98450-7712', addressing: 'pn' },
  { name: 'Rafael Lima', number: '+55 11 98765-4321' },
  { name: 'Mercearia do Zé', number: '+55 31 97102-3345', onWhatsAppAs: '553171023345' },
  {
    name: 'Carla Menezes',
    number: '+55 21 99611-0087',
    userId: 'BR.7720194481',
    username: 'carlamenezes',
    phoneHidden: true,
  },
]

export const COMPANIES: CompanyOptions[] = [
  { name: 'Distribuidora São José', number: '+55 31 99711-4400', label: 'Loja Centro' },
  { name: 'São José · Entregas', number: '+55 31 99711-4455', owner: 'Celular das entregas', label: 'Entregas' },
  { name: 'São José · Filial', number: '+55 31 99711-4466', owner: 'Celular da filial', label: 'Filial' },
]

const NAMES = [
  'Marlene Duarte',
  'Seu Antônio',
  'Oficina Avenida',
  'Joana Prado',
  'Farmácia Central',
  'Beatriz Nunes',
  'Wagner Dias',
  'Salão da Neide',
  'Otávio Reis',
  'Cida Moreira',
]

/** A person with a free number, and a name unless one is given. */
export function createPerson(hub: PhoneHub, name: string): PersonOptions {
  const count = hub.phones.size
  const taken = new Set([...hub.phones.values()].map(phone => phone.name))
  const free = NAMES.find(one => !taken.has(one)) ?? `Cliente ${count + 1}`
  let serial = count
  let number: string
  do {
    serial++
    number = `55319${String(80_000_000 + serial * 7919).slice(0, 8)}`
  } while (hub.find(number))
  return { name: name.trim().slice(0, 60) || free, number }
}
