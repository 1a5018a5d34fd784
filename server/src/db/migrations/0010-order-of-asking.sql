-- Who asked for a release last wins, however long builds take and whatever is interrupted meanwhile.

create sequence deployment_requests;
alter table deployments add column asked bigint;
update deployments set asked = numbered.asked
from (
  select id, row_number() over (order by coalesce(job_id, 0), created_at, id) as asked from deployments
) numbered
where numbered.id = deployments.id;
select setval('deployment_requests', greatest(1, (select count(*) from deployments)));
alter table deployments
  -- Its place in the order of the asking: for a build, or, later, to be served again.
  alter column asked set default nextval('deployment_requests'),
  alter column asked set not null;
