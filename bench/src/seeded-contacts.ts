// Databases with very many contacts, called as people in Brazil are: some names again and again, others once. Kept for the next run.
import { removeWorkingHours } from '@balcao/backend/app/seed/always-open'
import { closeDatabase, openDatabase } from '@balcao/backend/platform/database/client'
import { migrate } from '@balcao/backend/platform/database/migrate'
import postgres from 'postgres'
import { getEngineUrl, runOnServer, toDatabaseUrl } from './engine.ts'
import type { SeededDatabase } from './seeded.ts'

/** To be raised when the data below changes: older databases are then made anew. */
const EDITION = 1

/** The most common first; how common one is falls as its place grows. */
const FIRST =
  'Maria José Ana João Antônio Francisco Carlos Paulo Pedro Lucas Luiz Marcos Luís Gabriel Rafael Francisca Daniel Marcelo Bruno Adriana Juliana Márcia Fernanda Patrícia Aline Sandra Camila Amanda Bruna Jéssica Letícia Júlia Luciana Vanessa Mariana Gabriela Vera Vitória Larissa Cláudia Beatriz Rita Luana Sônia Renata Eliane Josefa Simone Natália Cristiane Carla Débora Rosângela Jaqueline Rosa Daniela Aparecida Marlene Terezinha Raimunda Andréia Fabiana Lúcia Raquel Ângela Rafaela Joana Luzia Elaine Daniele Regina Eduarda Sueli Rosana Bianca Isabel Érica Tatiane Priscila Íris Heitor Fábio Diego Otávio Benício Zuleica Wanderlei Ivo Ulisses Quitéria Yasmin Ximena Kátia Hortência'.split(
    ' ',
  )
const LAST =
  'Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro Martins Carvalho Almeida Lopes Soares Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes Marques Machado Mendes Freitas Cardoso Ramos Gonçalves Santana Teixeira Araújo Conceição Cavalcanti Moura Campos Pinto Batista Azevedo Medeiros Brito Duarte Farias Xavier Peixoto Bittencourt Quaresma Zanetti Ximenes Wolff Yamamoto'.split(
    ' ',
  )
const TRADE = 'Padaria Mercearia Oficina Clínica Restaurante Farmácia Papelaria Floricultura Hotel Distribuidora'.split(
  ' ',
)

/** A database with so many contacts: seven in eight are people, one in a hundred a group; each with its number in both spellings. */
export async function openSeededContacts(contacts: number): Promise<SeededDatabase> {
  const server = await getEngineUrl()
  const name = `contacts_${contacts}_${EDITION}`
  const url = toDatabaseUrl(server, name)
  const [known] = await runOnServer(
    server,
    `select shobj_description(oid, 'pg_database') as state from pg_database where datname = '${name}'`,
  )
  if (known?.state === 'complete') await migrate(url)
  else {
    console.log(`  making ${contacts.toLocaleString('en-US')} contacts (kept for the next run)…`)
    await runOnServer(server, `drop database if exists ${name} with (force)`)
    await runOnServer(server, `create database ${name}`)
    await migrate(url)
    await removeWorkingHours(url)
    await fill(url, contacts)
    await runOnServer(server, `comment on database ${name} is 'complete'`)
  }
  const db = openDatabase(url)
  return { tickets: contacts, url, db, close: () => closeDatabase(db) }
}

/** The n-th contact's name, chance n hashed into [0, 1). Squared: the first names of a list are the most common. */
const NAME = `
  case when n % 8 = 5 then (${toSqlArray(TRADE)})[1 + (c1 * ${TRADE.length})::int % ${TRADE.length}] || ' ' || (${toSqlArray(LAST)})[1 + (c2 * ${LAST.length})::int % ${LAST.length}] || ' ' || n
    else (${toSqlArray(FIRST)})[1 + (power(c1, 2.2) * ${FIRST.length})::int % ${FIRST.length}]
      || case when n % 3 = 0 then ' ' || (${toSqlArray(FIRST)})[1 + (power(c3, 2.2) * ${FIRST.length})::int % ${FIRST.length}] else '' end
      || case when n % 5 = 0 then ' da' else '' end
      || ' ' || (${toSqlArray(LAST)})[1 + (power(c2, 2.2) * ${LAST.length})::int % ${LAST.length}]
      || case when n % 2 = 0 then ' ' || (${toSqlArray(LAST)})[1 + (power(c4, 2.2) * ${LAST.length})::int % ${LAST.length}] else '' end end`

/** Both spellings of the n-th number, as the trigger that sleeps here keeps them. */
const NUMBER = `'55' || (11 + n % 89) || '9' || lpad((n * 7919 % 100000000)::text, 8, '0')`
const DIGITS = `least(${NUMBER}, left(${NUMBER}, 4) || right(${NUMBER}, 8)) || ' ' || greatest(${NUMBER}, left(${NUMBER}, 4) || right(${NUMBER}, 8))`

async function fill(url: string, contacts: number): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const chance = (salt: number) => `(hashint8(n * 8 + ${salt}) & 16777215) / 16777216.0 as c${salt}`
  try {
    await sql.unsafe(`
      set session_replication_role = replica;
      set maintenance_work_mem = '512MB';
      set synchronous_commit = off;
      insert into tag (name, color) select 'Etiqueta ' || n, '#1F8FB5' from generate_series(1, 20) n;
      insert into contact (name, name_source, search_digits, number, email, is_group)
        select ${NAME}, 'manual', case when n % 100 = 7 then '' else ${DIGITS} end, ${NUMBER},
          case when n % 5 < 2 then 'cliente' || n || '@' || (array['gmail.example','correio.example','empresa.example'])[1 + n % 3] else '' end, n % 100 = 7
        from (select n, ${[1, 2, 3, 4].map(chance).join(', ')} from generate_series(1::bigint, ${contacts}) n) made;
      insert into contact_identity (kind, value, contact_id) select 'pn', number, id from contact where not is_group on conflict do nothing;
      insert into contact_identity (kind, value, contact_id) select 'pn', left(number, 4) || right(number, 8), id from contact where not is_group on conflict do nothing;
      insert into contact_tag (contact_id, tag_id) select id, 1 + id % 20 from contact where id % 3 = 0;
      insert into contact_tally (is_group, n) select is_group, count(*) from contact group by is_group;
      set session_replication_role = origin;`)
    await sql.unsafe('vacuum (analyze)')
  } finally {
    await sql.end({ timeout: 5 })
  }
}

function toSqlArray(texts: readonly string[]): string {
  return `array[${texts.map(text => `'${text}'`).join(',')}]`
}
