import type { CheckUp, Finding, FindingCode } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { Button, copyText } from '@balcao/ui/parts'
import { Link } from '@balcao/ui/router'
import { Copy } from 'lucide-react'
import { describeShownFinding, FindingRow } from './findings.tsx'
import { formatReport } from './report.ts'

/** Where it is put right. */
const PAGES: Partial<Record<FindingCode, 'connections' | 'users' | 'queues'>> = {
  'company.numbers': 'connections',
  'connection.up': 'connections',
  'connection.down': 'connections',
  'company.people': 'users',
  'company.queues': 'queues',
}

interface ForShopProps {
  readonly checkUp: CheckUp
  readonly findings: readonly Finding[]
}

/** What whoever runs the shop puts right alone, in plain words, each with its button. */
export function ForShop({ checkUp, findings }: ForShopProps) {
  const t = useTexts('doctor')
  return (
    <section className="b-card" aria-labelledby="doctor-shop">
      <header className="b-card-head">
        <h2 id="doctor-shop" className="b-card-title">
          {t('shop')}
        </h2>
      </header>
      <ul className="m-0 list-none p-0">
        {findings.map((finding, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: findings stand in one order until they are asked for anew
          <ShopRow key={index} checkUp={checkUp} finding={finding} />
        ))}
      </ul>
    </section>
  )
}

function ShopRow({ checkUp, finding }: { readonly checkUp: CheckUp; readonly finding: Finding }) {
  const t = useTexts('doctor')
  const { code, level } = finding
  const { sentence, todo } = describeShownFinding(finding, t)
  const page = PAGES[code]
  if (page)
    return (
      <FindingRow level={level} sentence={sentence} todo={todo}>
        <Link to={`/${page}`} className="b-button is-normal">
          {t(`to.${page}`)}
        </Link>
      </FindingRow>
    )
  return (
    <FindingRow level={level} sentence={sentence} todo={level === 'ok' ? null : t('finding.files.backup.shop')}>
      <Button icon={Copy} onClick={() => void copyText(formatReport(checkUp, t))}>
        {t('copy')}
      </Button>
    </FindingRow>
  )
}
