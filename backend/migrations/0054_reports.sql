CREATE INDEX "ticket_figure_at" ON "ticket_figure" USING btree ("at");--> statement-breakpoint
CREATE INDEX "ticket_opened" ON "ticket" USING btree ("created_at","id");