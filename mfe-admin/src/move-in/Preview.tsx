import type { MoveInPreview } from '@balcao/contract'
import { formatDate, formatNumber, useTexts } from '@balcao/ui/i18n'
import { joinClasses } from '@balcao/ui/parts'

const CELL = 'px-3 py-2 text-right tabular-nums'

/** What would come and what cannot, and why. */
export function Preview({ preview }: { readonly preview: MoveInPreview }) {
  const t = useTexts('move-in')
  const shared = useTexts('move-in-shared')
  const { kinds, faults, firstAt, lastAt, openTickets } = preview
  return (
    <>
      <div className="overflow-x-auto rounded-card border border-line">
        <table className="w-full border-collapse text-cell">
          <thead className="bg-sunken text-text-2">
            <tr>
              <th scope="col" className="px-3 py-2 text-left font-normal">
                {t('what')}
              </th>
              <th scope="col" className={joinClasses(CELL, 'font-normal')}>
                {t('comes')}
              </th>
              <th scope="col" className={joinClasses(CELL, 'font-normal')}>
                {t('stays')}
              </th>
            </tr>
          </thead>
          <tbody>
            {kinds.map(({ kind, count, left }) => (
              <tr key={kind} className="border-t border-line">
                <th scope="row" className="px-3 py-2 text-left font-normal text-ink">
                  {shared(`kind.${kind}`)}
                </th>
                <td className={joinClasses(CELL, 'text-ink')}>{formatNumber(count)}</td>
                <td className={joinClasses(CELL, left > 0 ? 'text-danger' : 'text-muted')}>{formatNumber(left)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="grid gap-1 text-cell text-text-2">
        {firstAt && lastAt && (
          <p className="m-0">{shared('period', { from: formatDate(firstAt), to: formatDate(lastAt) })}</p>
        )}
        {openTickets > 0 && <p className="m-0">{shared('open', { count: openTickets })}</p>}
      </div>
      {faults.length > 0 && <Faults faults={faults} />}
    </>
  )
}

function Faults({ faults }: Pick<MoveInPreview, 'faults'>) {
  const t = useTexts('move-in')
  const shared = useTexts('move-in-shared')
  return (
    <section>
      <h3 className="m-0 mb-1 text-cell font-semibold text-ink">{t('why')}</h3>
      <ul className="m-0 grid list-none gap-1 p-0 text-cell">
        {faults.map(({ kind, fault, count, names }) => (
          <li key={`${kind} ${fault}`} className="min-w-0 break-words text-text-2">
            <span className="text-ink">{shared(`kind.${kind}`)}</span>:{' '}
            {t('names', { why: shared(`problem.${fault}`), count })} <bdi>{names.join(', ')}</bdi>
            {names.length > 0 && count > names.length && ` ${t('rest', { count: count - names.length })}`}
          </li>
        ))}
      </ul>
    </section>
  )
}
