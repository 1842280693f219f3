import { formatPhone } from '@balcao/contract/contacts/phone'
import { useTexts } from '@balcao/ui/i18n'
import type { ContactSheetDryRun } from './sheet.ts'

const CELL = 'h-9 max-w-60 truncate border-line px-2.5 not-first:border-l'
const HEADS = ['nome', 'numero', 'email', 'tags'] as const

/** The first contacts of a sheet as they will be. */
export function ContactsToBe({ contacts }: Pick<ContactSheetDryRun, 'contacts'>) {
  const t = useTexts('contact-sheets')
  if (contacts.length === 0) return null
  return (
    <section aria-label={t('toBe.title')} className="grid gap-2">
      <h3 className="m-0 text-cell font-semibold">{t('toBe.title')}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must do so by keyboard too */}
      <div tabIndex={0} className="overflow-x-auto rounded-card border border-line">
        <table className="w-full border-collapse text-left text-cell">
          <thead className="bg-sunken text-text-2">
            <tr>
              {HEADS.map(head => (
                <th key={head} scope="col" className={`${CELL} font-normal`}>
                  {t(`column.${head}`)}
                </th>
              ))}
              <th scope="col" className={`${CELL} font-normal`}>
                {t('toBe.outcome')}
              </th>
            </tr>
          </thead>
          <tbody>
            {contacts.map(({ row, outcome, name, number, otherNumbers, email, tags }) => (
              <tr key={row} className="border-t border-line">
                <td className={CELL}>
                  <bdi>{name || '—'}</bdi>
                </td>
                <td className={`${CELL} tabular-nums`}>{[number, ...otherNumbers].map(formatPhone).join(', ')}</td>
                <td className={CELL}>{email || '—'}</td>
                <td className={CELL}>{tags.join(', ') || '—'}</td>
                <td className={`${CELL} ${outcome === 'skipped' ? 'text-muted' : 'text-ok'}`}>
                  {t(`toBe.${outcome}`)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
