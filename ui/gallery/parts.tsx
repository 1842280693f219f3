// Every part of the kit, in every state that a screen may show.
import type { ComponentType } from 'react'
import { DangerGreat, DangerSmall } from './danger.tsx'
import { ContactForm, EMPTY, Fields, Settings } from './forms.tsx'
import { Import, Jobs } from './jobs.tsx'
import { Phone } from './phone.tsx'
import { answerPage, Contacts, failNextPage, makeContacts, SOME } from './table.tsx'

export const PARTS: Readonly<Record<string, ComponentType>> = {
  table: () => <Contacts page={answerPage(SOME)} count={3825} />,
  'table-chosen': () => <Contacts page={answerPage(SOME)} count={3825} chosen={3} panel />,
  'table-long': () => <Contacts page={answerPage(makeContacts(400))} />,
  'table-more-failed': () => <Contacts page={failNextPage} />,
  'table-loading': () => <Contacts page={() => new Promise(() => undefined)} />,
  'table-empty': () => <Contacts page={answerPage([])} />,
  'table-nothing': () => <Contacts page={query => answerPage(query.search ? [] : SOME)()} typed="adegga" />,
  'table-failed': () => <Contacts page={() => Promise.reject(new Error('no line'))} />,
  form: () => (
    <ContactForm start={{ name: 'X', number: '5531984507712', color: '#2c53a4', file: 'tabela.pdf' }} tried />
  ),
  'form-docked': () => <ContactForm start={EMPTY} docked />,
  'form-elsewhere': () => <ContactForm start={EMPTY} now={{ ...EMPTY, name: 'Padaria Estrela' }} />,
  'danger-small': DangerSmall,
  'danger-great': DangerGreat,
  fields: Fields,
  settings: Settings,
  jobs: Jobs,
  'job-import': Import,
  phone: Phone,
}
