// What cannot be taken back, in its two sizes of dialog.
import { Clock, Lock, Trash2 } from 'lucide-react'
import { Avatar } from '../src/kit/parts/index.ts'
import { ConfirmDanger } from '../src/kit/screens/index.ts'

export function DangerSmall() {
  return (
    <ConfirmDanger
      title="Apagar 3 contatos?"
      text="As conversas deles somem junto. Não dá para desfazer."
      things={[
        {
          id: 1,
          name: 'Buffet Vila Rica',
          note: '41 mensagens',
          before: <Avatar id={1} name="Buffet Vila Rica" size={28} />,
        },
        {
          id: 2,
          name: 'Cantina da Nena',
          note: '208 mensagens',
          before: <Avatar id={2} name="Cantina Nena" size={28} />,
        },
        {
          id: 3,
          name: 'Dona Lúcia Ferreira',
          stays: 'fica: tem protocolo',
          before: <Avatar id={3} name="Dona Lúcia" size={28} />,
        },
      ]}
      action="Apagar 2 contatos"
      onConfirm={async () => undefined}
      onClose={() => undefined}
    />
  )
}

export function DangerGreat() {
  return (
    <ConfirmDanger
      great
      title="Limpar contatos?"
      figures={[
        {
          icon: Trash2,
          danger: true,
          text: (
            <>
              <strong>1.206 contatos</strong> sem conversa somem
            </>
          ),
        },
        {
          icon: Lock,
          text: (
            <>
              <strong>2.619</strong> ficam: têm conversa, protocolo ou agendamento
            </>
          ),
        },
        { icon: Clock, text: 'Tags com menos gente: Feira livre 41 → 12' },
      ]}
      wayOut={
        <>
          Antes,{' '}
          <button type="button" className="b-link">
            exporte os contatos
          </button>
          .
        </>
      }
      grace="Dá para desfazer por 7 dias."
      action="Limpar 1.206 contatos"
      onConfirm={async () => undefined}
      onClose={() => undefined}
    />
  )
}
