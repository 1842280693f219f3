-- Of connections that share a number the one that wrote or read last keeps it; the others say that theirs is missing.
UPDATE "whatsapp" w SET config = w.config - 'phoneNumberId', version = w.version + 1, updated_at = now()
FROM (
  SELECT id, row_number() OVER (PARTITION BY config ->> 'phoneNumberId' ORDER BY last_message_at DESC NULLS LAST, id) AS place
  FROM "whatsapp" WHERE deleted_at IS NULL AND config ->> 'phoneNumberId' <> ''
) AS doubled
WHERE w.id = doubled.id AND doubled.place > 1;
--> statement-breakpoint
CREATE UNIQUE INDEX "whatsapp_phone_number_live" ON "whatsapp" USING btree ((config ->> 'phoneNumberId')) WHERE deleted_at is null and config ->> 'phoneNumberId' <> '';
